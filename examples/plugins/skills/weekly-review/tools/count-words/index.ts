import { defineAgentTool } from 'baigong';
import { z } from 'zod';

export default defineAgentTool({
  description: 'Counts the words of a review.',
  inputSchema: z.object({ text: z.string().max(10_000) }),
  requiresApproval: 'never',
  annotations: { readOnlyHint: true },
  execute: ({ text }) => ({ words: text.split(/\s+/).filter((word) => word !== '').length }),
});
