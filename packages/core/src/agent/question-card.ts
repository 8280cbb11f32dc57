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
    ...(options === undefined ? {} : { options: different(options.map((option) => showInvisible(mask(option)))) }),
  };
}

/** Options that look the same when they are safe to print get numbers, so that each of them can be chosen. */
function different(options: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return options.map((option) => {
    let shown = option;
    for (let number = 2; seen.has(shown); number++) shown = `${option} (${number})`;
    seen.add(shown);
    return shown;
  });
}
