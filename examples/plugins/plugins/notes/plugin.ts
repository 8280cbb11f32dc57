import { definePlugin, InputError } from 'baigong';
import { z } from 'zod';
import { notesToken } from './notes.ts';

export default definePlugin({
  name: 'notes',
  // What may stand under `plugins.notes` in baigong.config.yml.
  config: z.object({ maxNotes: z.number().int().min(1).default(10) }),
  provides: [notesToken],
  setup(context) {
    const { maxNotes } = context.config.get();
    const notes: string[] = [];
    context.provide(
      notesToken,
      {
        add(text) {
          if (notes.length >= maxNotes) throw new InputError(`the notebook is full (${maxNotes} notes)`);
          return notes.push(text);
        },
        find: (word) => notes.filter((note) => note.includes(word)),
        size: () => notes.length,
      },
      // Tools in files run in processes of their own; these methods they may call.
      { remote: ['add', 'find'] },
    );
    context.onDispose(() => {
      notes.length = 0;
    });
  },
});
