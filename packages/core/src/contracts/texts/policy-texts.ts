import type { Catalogue } from './catalogue.ts';

export const policyTexts = {} as const satisfies Catalogue;
