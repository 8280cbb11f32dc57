import type { Catalogue } from './catalogue.ts';

export const registryTexts = {} as const satisfies Catalogue;
