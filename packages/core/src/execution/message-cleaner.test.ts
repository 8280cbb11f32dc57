import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executionLimits } from './execution-limits.ts';
import { createMessageCleaner } from './message-cleaner.ts';

describe('createMessageCleaner', () => {
  let base: string;
  let root: string;

  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
    root = join(base, 'my bot (1)');
    await mkdir(root);
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it.each<[string, (root: string) => string, string]>([
    ['a file of the project', (root) => `ENOENT: open '${root}/data/x.json'`, "ENOENT: open './data/x.json'"],
    ['its place', (root) => `at ${root}/a.ts:3:7`, 'at ./a.ts:3:7'],
    ['the project itself', (root) => `cannot read ${root}, sorry`, 'cannot read ., sorry'],
    [
      'an address of the project',
      (root) => `Cannot find module '${'file://'}${root}/b.ts'`,
      "Cannot find module './b.ts'",
    ],
    ['a file of the machine', () => 'open /etc/ssl/private/key.pem failed', 'open key.pem failed'],
    ['a quoted path with blanks', () => "open '/home/a b/c d.txt' failed", "open 'c d.txt' failed"],
    ['a path after a colon', () => 'failed:/usr/lib/node/x.js', 'failed:x.js'],
    ['a file address', () => 'in file:///usr/lib/x.mjs:1', 'in x.mjs:1'],
    ['a path of Windows', () => String.raw`open C:\Users\me\x.txt`, 'open x.txt'],
    ['a home that this machine has not', () => 'at /Users/somebody/project/x.ts', 'at x.ts'],
    ['a path after a dash', () => 'x -/home/u/x', 'x -x'],
    ['a path after a bracket', () => '[a]/home/u/x and (b)/home/u/y', '[a]x and (b)y'],
    ['a path after a percent sign', () => '50%/home/u/x', '50%x'],
    ['a path that begins with two slashes', () => 'open //home/u/x', 'open x'],
    ['a quoted path that begins with two slashes', () => "open '//home/u a/x'", "open 'x'"],
    ['a file address of Windows', () => 'in file:///C:/Users/me/x.mjs', 'in x.mjs'],
    ['a share of Windows', () => String.raw`open \\server\c$\Users\me\x.txt now`, 'open x.txt now'],
    ['a quoted share of Windows', () => String.raw`open '\\server\a b\x.txt' now`, "open 'x.txt' now"],
    [
      'a stack',
      () => 'no\n    at f (/home/u/x.ts:1:2)\n    at async node:fs:1:2\n    at new Promise (<anonymous>)',
      'no',
    ],
    ['a list that is no stack', () => 'see\n  at the door', 'see\n  at the door'],
    ['an address without scheme', () => 'GET //cdn.example.com/x.js', 'GET //cdn.example.com/x.js'],
    ['a web address', () => 'GET https://example.com/etc/passwd failed', 'GET https://example.com/etc/passwd failed'],
    ['a route of a service', () => 'GET /v1/users/42 gave 404', 'GET /v1/users/42 gave 404'],
    ['a date', () => 'on 2024/06/20 and/or later', 'on 2024/06/20 and/or later'],
    ['a command', () => 'send /approve', 'send /approve'],
    ['a relative path', () => 'see ./etc/passwd and src/tmp/a', 'see ./etc/passwd and src/tmp/a'],
  ])('%s', (_name, message, expected) => {
    expect(createMessageCleaner(root)(message(root))).toBe(expected);
  });

  it('takes the folder beside the project for another one', () => {
    expect(createMessageCleaner(root)(`open '${root}-old/x.json'`)).toBe("open 'x.json'");
  });

  it('knows the project under its real name too', async () => {
    const link = join(base, 'link');
    await symlink(root, link);
    const clean = createMessageCleaner(link);
    expect(clean(`${link}/a.ts and ${root}/b.ts`)).toBe('./a.ts and ./b.ts');
    expect(clean(`in ${pathToFileURL(link).href}/a.ts`)).toBe('in ./a.ts');
  });

  it('bounds what it lets through', () => {
    const cleaned = createMessageCleaner(root)('x'.repeat(1_000_000));
    expect(cleaned).toHaveLength(executionLimits.messageChars);
    expect(cleaned.endsWith('…')).toBe(true);
  });
});
