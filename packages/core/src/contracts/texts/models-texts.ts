import type { Catalogue } from './catalogue.ts';

export const modelsTexts = {} as const satisfies Catalogue;
