import { agentTexts } from './agent-texts.ts';
import { answerTexts } from './answer-texts.ts';
import { approvalTexts } from './approval-texts.ts';
import { compileTexts } from './compile-texts.ts';
import { configTexts } from './config-texts.ts';
import { dispatchTexts } from './dispatch-texts.ts';
import { executionTexts } from './execution-texts.ts';
import { fetchTexts } from './fetch-texts.ts';
import { modelsTexts } from './models-texts.ts';
import { policyTexts } from './policy-texts.ts';
import { registryTexts } from './registry-texts.ts';
import { scanTexts } from './scan-texts.ts';
import { storeTexts } from './store-texts.ts';

/** Every text of this package that a person or a model reads. */
export const allTexts = {
  ...agentTexts,
  ...answerTexts,
  ...approvalTexts,
  ...compileTexts,
  ...configTexts,
  ...dispatchTexts,
  ...executionTexts,
  ...fetchTexts,
  ...modelsTexts,
  ...policyTexts,
  ...registryTexts,
  ...scanTexts,
  ...storeTexts,
  /** A text that is not ours to translate: what an author's code or an upstream said. */
  plain: { en: '{text}', zh: '{text}' },
} as const;

export type TextKey = keyof typeof allTexts;
