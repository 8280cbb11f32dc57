import { defineAgentTool } from 'baigong';
import { z } from 'zod';

export default defineAgentTool({
  description: 'Tells whether a note is short enough.',
  inputSchema: z.object({ text: z.string().max(10_000) }),
  requiresApproval: 'never',
  annotations: { readOnlyHint: true },
  execute: ({ text }) => ({ short: text.length <= 120 }),
});
