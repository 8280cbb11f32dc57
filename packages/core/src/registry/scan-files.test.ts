import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentFiles, scanFolder } from './fixtures/scan-folder.ts';
import { writeProject } from './fixtures/write-project.ts';
import type { ProjectScan } from './project-scan.ts';

describe('a scan after another', () => {
  /** Until the file's times are old enough to be believed. */
  async function settled(root: string): Promise<ProjectScan> {
    for (let attempt = 0; attempt < 500; attempt++) {
      const result = await scanFolder(root);
      if (result.files.size === 6) return result;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('the files never settled');
  }

  it('reads what changed, and takes over the rest', async () => {
    const root = await writeProject({
      ...agentFiles('x'),
      'skills/a/SKILL.md': '---\nname: b\ndescription: x\n---\nOne',
      'AGENTS.md': 'R',
    });
    const first = await settled(root);
    const again = await scanFolder(root, { previous: first });
    expect(again.plugins).toEqual(first.plugins);
    expect(again.problems).toEqual(first.problems);
    const [before, after] = [first, again].map((one) => one.plugins[0]?.found.map(({ fields }) => fields) ?? []);
    expect(after).toHaveLength(2);
    for (const [index, fields] of (after ?? []).entries()) expect(fields).toBe(before?.[index]);

    // As long as before, with the old time of change: only what the system itself notes tells them apart.
    const file = join(root, 'skills/a/SKILL.md');
    await writeFile(file, '---\nname: a\ndescription: x\n---\nTwo');
    await utimes(file, new Date(0), new Date(0));
    await writeFile(join(root, 'new.md'), 'Other');
    await rename(join(root, 'new.md'), join(root, 'agents/x/system.md'));
    const changed = await scanFolder(root, { previous: again });
    expect(changed.problems).toEqual([]);
    expect(changed.plugins[0]?.found).toMatchObject([
      { kind: 'skill', texts: { body: 'Two' } },
      { kind: 'agent', texts: { system: 'Other', boundaries: 'Never' } },
    ]);
    expect(changed.plugins[0]?.found[1]?.fields).toBe(after?.[1]);
  });

  it('does not trust the times of a file that was just written', async () => {
    const root = await writeProject({});
    await mkdir(join(root, 'skills/a'), { recursive: true });
    let previous: ProjectScan | undefined;
    for (let round = 10; round < 60; round++) {
      const began = Date.now();
      await writeFile(join(root, 'skills/a/SKILL.md'), `---\nname: a\ndescription: x\n---\n${round}`);
      const result: ProjectScan = await scanFolder(root, previous === undefined ? {} : { previous });
      expect(result.plugins[0]?.found[0]?.texts?.body).toBe(`${round}`);
      // Clocks of files may lag by some milliseconds.
      if (result.files.size > 0) expect(Date.now() - began).toBeGreaterThan(80);
      previous = result;
    }
  });
});
