import { relative } from 'node:path';
import type { Runtime, RuntimeNotice } from 'baigong';
import pc from 'picocolors';
import { printProblems } from '../print-problems.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';

/** What a runtime that watches its files has to say, for people. */
export function showNotice(notice: RuntimeNotice, runtime: Runtime): string {
  const { locale } = runtime;
  if (notice.type === 'restart-needed') {
    const path = escapeControls(relative('', notice.path) || notice.path);
    return `${pc.yellow(cliText('restartNeeded', locale, { path }))}\n`;
  }
  if (notice.type === 'watch-failed') {
    return `${pc.yellow(cliText('watchFailed', locale, { reason: escapeControls(notice.reason) }))}\n`;
  }
  const { generation } = notice;
  switch (notice.status) {
    case 'unchanged':
      return `${pc.dim(cliText('reloadMended', locale, { generation }))}\n`;
    case 'refused': {
      const count = notice.problems.filter((problem) => problem.fatal).length;
      const head = pc.red(cliText('reloadRefused', locale, { count, generation }));
      return `${head}\n${printProblems(notice.problems, locale)}\n`;
    }
    case 'changed': {
      const head = pc.dim(cliText('reloaded', locale, { generation, tools: runtime.table.tools.length }));
      return notice.problems.length === 0 ? `${head}\n` : `${head}\n${printProblems(notice.problems, locale)}\n`;
    }
  }
}
