import type { Locale, Runtime, ToolCapability } from 'baigong';
import pc from 'picocolors';
import { escapeControls } from '../terminal/escape-controls.ts';
import { fold } from '../terminal/fold.ts';
import { cliText } from '../texts.ts';
import { tokenCost } from './token-cost.ts';

const LINE_WIDTH = 80;

/** The tools of a project, one line each; `detailed` also says what they cost in tokens, where they
 * run, in which generation, and whence they came. */
export function listTools(runtime: Runtime, locale: Locale, style: 'plain' | 'detailed' = 'plain'): string {
  const { tools } = runtime.table;
  if (tools.length === 0) return `${cliText('noTools', locale)}\n`;
  const names = tools.map((tool) => tool.name);
  const width = Math.max(...names.map((name) => name.length));
  if (style === 'plain') {
    return tools.map((tool) => `${pc.bold(tool.name.padEnd(width))}  ${fold(summaryOf(tool), LINE_WIDTH)}\n`).join('');
  }
  const rows = tools.map((tool) => [
    String(tokenCost(tool)),
    tool.isolation,
    `g${runtime.table.generation}`,
    escapeControls([tool.source.file ?? tool.source.id, ownerOf(tool)].filter((part) => part !== '').join(' · ')),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return tools
    .map((tool, index) => {
      const cells = (rows[index] ?? []).map((cell, column) =>
        column === 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      return `${pc.bold(tool.name.padEnd(width))}  ${pc.dim(cells.join('  '))}  ${fold(summaryOf(tool), LINE_WIDTH)}\n`;
    })
    .join('');
}

/** The agent and the skill that keep it to themselves; empty = public. */
export function ownerOf({ owner }: ToolCapability): string {
  return [
    ...(owner.agent === undefined ? [] : [`agent ${owner.agent}`]),
    ...(owner.skill === undefined ? [] : [`skill ${owner.skill}`]),
  ].join(', ');
}

/** What to show of a tool in one line. */
function summaryOf(tool: ToolCapability): string {
  return tool.summary ?? tool.description;
}
