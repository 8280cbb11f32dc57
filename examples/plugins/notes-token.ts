import { defineToken } from 'baigong';

// Services are found by name: whoever uses one says what it needs of it, and imports nothing of the other plugin.
export const notesToken = defineToken<{
  add(text: string): number | Promise<number>;
  size(): number;
}>('notes.notes');
