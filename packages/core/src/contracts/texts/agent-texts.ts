import type { Catalogue } from './catalogue.ts';

export const agentTexts = {} as const satisfies Catalogue;
