import { describe, expect, it } from 'vitest';
import { allTexts } from './all-texts.ts';
import { renderText } from './render-text.ts';

const gaps = (template: string) => [...new Set(template.match(/\{[a-zA-Z]+\}/g) ?? [])].sort();

describe('the catalogue', () => {
  it.each(Object.entries(allTexts))('%s says the same in both languages', (_key, { en, zh }) => {
    expect(gaps(zh)).toEqual(gaps(en));
    expect(en.trim()).not.toBe('');
    expect(zh.trim()).not.toBe('');
  });
});

describe('renderText', () => {
  it('fills gaps with data that is never interpreted', () => {
    expect(renderText({ key: 'plain', values: { text: '{text} $& $1' } }, 'zh')).toBe('{text} $& $1');
  });

  it('shows an unknown key as it is, `constructor` included', () => {
    expect(renderText({ key: 'constructor' }, 'en')).toBe('constructor');
    expect(renderText({ key: 'plain', values: {} }, 'en')).toBe('{text}');
  });
});
