import type { Catalogue } from './catalogue.ts';

export const configTexts = {
  'config.unknown-key': {
    en: '{file} has the key {key}, which does not exist.',
    zh: '{file} 中的键 {key} 不存在。',
  },
} as const satisfies Catalogue;
