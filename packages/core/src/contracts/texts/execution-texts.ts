import type { Catalogue } from './catalogue.ts';

export const executionTexts = {} as const satisfies Catalogue;
