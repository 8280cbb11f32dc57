import type { Locale, Runtime, ToolCapability } from 'baigong';
import pc from 'picocolors';
import { fold } from '../terminal/fold.ts';
import { cliText } from '../texts.ts';

const LINE_WIDTH = 80;

/** The tools of a project, one line each. */
export function listTools(runtime: Runtime, locale: Locale): string {
  const { tools } = runtime.table;
  if (tools.length === 0) return `${cliText('noTools', locale)}\n`;
  const width = Math.max(...tools.map((tool) => tool.name.length));
  return tools.map((tool) => `${pc.bold(tool.name.padEnd(width))}  ${fold(summaryOf(tool), LINE_WIDTH)}\n`).join('');
}

/** What to show of a tool in one line. */
function summaryOf(tool: ToolCapability): string {
  return tool.summary ?? tool.description;
}
