import { defineAgentPromptSection } from 'baigong';

export default defineAgentPromptSection({
  title: 'House style',
  content: 'Dates are written as 2026-01-31. Notes are quoted, never paraphrased.',
  layer: 'context',
  maxChars: 500,
});
