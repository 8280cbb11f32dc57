import { defineAgentTool, definePlugin } from 'baigong';
import { z } from 'zod';
import { notesToken } from './notes-token.ts';

export default definePlugin({
  name: 'notebook',
  // What may stand under `config` in baigong.config.yml.
  config: z.object({
    signature: z.string().max(100).default(''),
    digest: z.boolean().default(false),
  }),
  uses: [notesToken],
  setup(context) {
    const { digest, signature } = context.config.get();
    if (!digest) return;
    const notes = context.use(notesToken);
    context.addTool(
      'digest',
      defineAgentTool({
        description: 'Sums the notes up in one line. Use when the user wants an overview.',
        requiresApproval: 'never',
        annotations: { readOnlyHint: true },
        execute: () => [`${notes.size()} notes`, signature].filter((part) => part !== '').join(', '),
      }),
    );
  },
});
