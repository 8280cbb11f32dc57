import type { Catalogue } from './catalogue.ts';

export const dispatchTexts = {} as const satisfies Catalogue;
