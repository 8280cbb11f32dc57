import { describe, expect, it } from 'vitest';
import { readFeatures } from './read-features.ts';

const read = (content: unknown, version = '0.1.0') => readFeatures(JSON.stringify(content), 'package.json', version);
const feature = (name: unknown, api: unknown) => ({ zhin: { features: [{ package: name, api }] } });

describe('readFeatures', () => {
  it.each([
    [feature('@zhin.js/prompt-section', '^1.0.0')],
    [feature('zhin.js', '>=0.9 <2')],
    [{ baigong: { features: [{ package: 'baigong', api: '~0.1.0' }] } }],
    [{ zhin: { features: [] }, baigong: {} }],
    [{ zhin: 'x', baigong: null }],
    [{ name: 'x' }],
    [[]],
    [null],
  ])('has nothing against %j', async (content) => {
    expect(await read(content)).toEqual([]);
  });

  it.each<[unknown, object]>([
    [
      feature('@zhin.js/tool', '^2.0.0'),
      { code: 'UNMET_FEATURE', field: 'zhin/features/0/api', found: '"^2.0.0"', expected: '1.0.0', fatal: true },
    ],
    [{ baigong: { features: [{ package: 'baigong', api: '^9' }] } }, { code: 'UNMET_FEATURE', expected: '0.1.0' }],
    [feature('@zhin.js/tool', 'latest'), { code: 'INVALID_FEATURE', field: 'zhin/features/0/api', fatal: true }],
    [feature('@zhin.js/tool', `${'1 || '.repeat(100_000)}1`), { code: 'INVALID_FEATURE', fatal: true }],
    [feature('@zhin.js/tool', undefined), { code: 'INVALID_FEATURE', found: 'undefined', fatal: true }],
    [feature(7, '^1.0.0'), { code: 'INVALID_FEATURE', field: 'zhin/features/0/package', found: '7', fatal: true }],
    [{ zhin: { features: ['@zhin.js/tool'] } }, { code: 'INVALID_FEATURE', field: 'zhin/features/0', fatal: true }],
    [{ zhin: { features: {} } }, { code: 'INVALID_FEATURE', field: 'zhin/features', fatal: true }],
    [feature('@zhin.js/tools', '^1.0.0'), { code: 'UNKNOWN_FEATURE', expected: '"@zhin.js/tool"', fatal: false }],
    [feature('constructor', '^1.0.0'), { code: 'UNKNOWN_FEATURE', found: '"constructor"', fatal: false }],
  ])('objects to %j', async (content, problem) => {
    expect(await read(content)).toMatchObject([problem]);
  });

  it('judges every entry, and leaves a file that is no JSON to others', async () => {
    const features = [{ package: 1, api: 2 }, null, { package: 'zhin.js', api: '^3' }];
    expect((await read({ zhin: { features }, baigong: { features } })).map((problem) => problem.field)).toEqual(
      ['zhin', 'baigong'].flatMap((host) =>
        ['0/package', '0/api', '1', '2/api'].map((place) => `${host}/features/${place}`),
      ),
    );
    expect(await readFeatures('{', 'package.json', '1.0.0')).toEqual([]);
  });

  it('meets a range with its own pre-releases', async () => {
    expect(await read({ baigong: { features: [{ package: 'baigong', api: '>=1.0.0' }] } }, '1.1.0-beta.2')).toEqual([]);
  });
});
