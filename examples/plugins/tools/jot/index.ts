import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { notesToken } from '../../notes-token.ts';

interface Config {
  readonly signature: string;
}

export default defineAgentTool.withConfig<Config>()({
  description: 'Writes a note down. Use when the user wants something remembered.',
  inputSchema: z.object({ text: z.string().trim().min(1).max(1_000).describe('the note') }),
  requiresApproval: 'never',
  uses: [notesToken],
  async execute({ text }, { config, use }) {
    const number = await use(notesToken).add(text);
    return { number, signature: config.signature };
  },
});
