import { defineToken } from 'baigong';

/** Notes, kept in the memory of the process that runs the plugin. */
export interface Notes {
  add(text: string): number;
  find(word: string): string[];
  size(): number;
}

export const notesToken = defineToken<Notes>('notes.notes');
