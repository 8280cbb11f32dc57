import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { textStats } from './text-stats.ts';

export default defineAgentTool({
  description:
    '统计文本的字符数、汉字数、词数、行数、段落数、句数和阅读时间。Count characters, Han characters, words, lines, paragraphs and sentences. Use when the user asks how long a text is.',
  summary: '字数统计 Count characters, words, lines',
  category: 'text',
  tags: ['text', 'count', 'words', 'reading time', '字数', '统计', '文本'],
  examples: ['这段话有多少字', '统计一下这篇文章的字数和段落', '读完这篇要多久', 'How many words are in this text?'],
  inputSchema: z.object({
    text: z
      .string()
      .max(2_000_000)
      .describe('文本 The text to count, whole and unchanged; line breaks matter')
      .meta({ examples: ['你好，world!', 'First line.\nSecond line.'] }),
  }),
  returns:
    'Counts; a word is a Han character, a kana, or a run between spaces as Word and WPS count; reading time in seconds',
  requiresApproval: 'never',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  execute: ({ text }) => textStats(text),
});
