import type { QuestionCard } from '../contracts/ask.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import { showInvisible } from '../contracts/show-invisible.ts';

interface QuestionParts {
  readonly tool: ToolCapability;
  readonly text: string;
  readonly options?: readonly string[];
  readonly mask: (text: string) => string;
}

/** What a tool asks, in texts that are safe to print anywhere. */
export function createQuestionCard({ tool, text, options, mask }: QuestionParts): QuestionCard {
  return {
    tool: showInvisible(tool.name),
    text: showInvisible(mask(text), { lines: true }),
    ...(options === undefined ? {} : { options: options.map((option) => showInvisible(mask(option))) }),
  };
}
