import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { notesToken } from '../../notes.ts';

export default defineAgentTool({
  description: 'Finds notes that hold a word. Use when the user asks what was noted.',
  inputSchema: z.object({ word: z.string().min(1).max(100) }),
  requiresApproval: 'never',
  annotations: { readOnlyHint: true },
  uses: [notesToken],
  execute: async ({ word }, { use }) => ({ found: await use(notesToken).find(word) }),
});
