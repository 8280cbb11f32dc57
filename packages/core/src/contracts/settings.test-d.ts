import { describe, expectTypeOf, it } from 'vitest';
import { defineConfig } from '../authoring/define-config.ts';
import type { ConfigInput } from './config-input.ts';
import type { Json } from './json.ts';
import type { Settings } from './settings.ts';

describe('Settings', () => {
  it('has every key with a default, and may lack the others', () => {
    expectTypeOf<Settings['turn']['maxSteps']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['reload']['watch']>().toEqualTypeOf<boolean>();
    expectTypeOf<Settings['locale']>().toEqualTypeOf<'en' | 'zh' | undefined>();
    expectTypeOf<Settings['timeZone']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Settings['ai']['model']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Settings['trusted']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Settings['config']>().toEqualTypeOf<{ readonly [name: string]: Json }>();
    expectTypeOf<Settings['plugins'][string]>().toEqualTypeOf<boolean | { readonly [name: string]: Json }>();
    expectTypeOf<Settings['ai']['providers'][string]['apiKey']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Settings['ai']['agent']['deferredTools']['alwaysLoadedMode']>().toEqualTypeOf<'extend' | 'replace'>();
    expectTypeOf<Settings>().not.toHaveProperty('$schema');
  });
});

describe('ConfigInput', () => {
  it('may lack everything; texts may stand in files', () => {
    expectTypeOf<Record<never, never>>().toExtend<ConfigInput>();
    defineConfig({
      $schema: './x.json',
      locale: undefined,
      ai: { providers: { openai: { apiKey: { file: 'key.txt' } } } },
      plugins: { weather: { unit: 'celsius', nested: { a: [1] } }, maps: false },
      config: { key: process.env.KEY },
    });
    defineConfig({ plugins: ['weather'], trusted: ['a'], network: { allowHosts: ['a:1'] } });
  });

  it('refuses unknown keys and impossible values', () => {
    // @ts-expect-error no such key
    defineConfig({ maxSteps: 3 });
    // @ts-expect-error no such key
    defineConfig({ turn: { maxStep: 3 } });
    // @ts-expect-error not a language of ours
    defineConfig({ locale: 'fr' });
    // @ts-expect-error a number is no text
    defineConfig({ ai: { model: 3 } });
    // @ts-expect-error a plugin is switched or configured
    defineConfig({ plugins: { weather: 'on' } });
  });
});
