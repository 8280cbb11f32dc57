import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { executionLimits } from './execution-limits.ts';

/** Takes this machine's paths, and lines of stacks, out of a message that a model will read. */
export type CleanMessage = (message: string) => string;

/** Absolute paths, quoted (then they may hold blanks) or not; with a `file:` address in front or not. */
const QUOTED = /(['"`])(?:file:\/\/\/?(?=[A-Za-z]:)|file:\/\/)?((?:\/+|[A-Za-z]:[\\/]|\\{2,})[^'"`\n]*)\1/g;
/** After `:` two slashes begin the host of a web address; after a word or a dot a slash goes on with what it is in. */
const BARE =
  /(?<![\w/\\.~])(?:file:\/\/\/?(?=[A-Za-z]:)|file:\/\/)?((?:(?<!:)\/{2,}|(?<=file:\/\/)\/+|\/(?!\/)|[A-Za-z]:[\\/])[^\s'"`<>|,;:()[\]{}?#]+)/g;
/** A share of Windows, `\\server\share\file`, or one of its device paths. */
const SHARE = /(?<![\w\\])\\{2,}[\w.$?-]+\\+[^\s'"`<>|,;()[\]{}]+/g;
/** A line of a stack. */
const STACK_LINE = /\n\s+at (?:[^\n]*:\d+:\d+\)?|[^\n]*\((?:<anonymous>|native|index \d+)\))(?=\n|$)/g;

/** Top folders that mean a file system even where this machine has none of that name. */
const TOP_FOLDERS = new Set(['home', 'Users', 'root', 'private', 'Volumes', 'mnt', 'srv', 'opt', 'var', 'tmp', 'etc']);

/**
 * Paths below `root` are named from there (`./data/x.json`), of other absolute paths only the last part stays. What
 * merely looks like one (`/v1/users/42` of some service) is left alone.
 *
 * @example
 * createMessageCleaner('/srv/bot')("open '/srv/bot/data/x.json'") // "open './data/x.json'"
 */
export function createMessageCleaner(root: string): CleanMessage {
  const roots = [...new Set([root, realPath(root)])].filter((one) => one.length > 1).map(patternOf);
  const topFolders = new Map<string, boolean>();

  const isOfMachine = (path: string): boolean => {
    if (!path.startsWith('/')) return true;
    const [, top = '', rest = ''] = path.split(/\/+/, 3);
    if (rest === '') return false;
    let known = topFolders.get(top);
    if (known === undefined) {
      known = TOP_FOLDERS.has(top) || existsSync(`/${top}`);
      topFolders.set(top, known);
    }
    return known;
  };

  const lastPart = (path: string): string => basename(path.replaceAll('\\', '/'));

  return (message) => {
    let clean = message.replace(STACK_LINE, '');
    if (clean.length > executionLimits.messageChars) clean = `${clean.slice(0, executionLimits.messageChars - 1)}…`;
    for (const pattern of roots) clean = clean.replace(pattern, '.');
    return clean
      .replace(QUOTED, (whole, quote: string, path: string) =>
        isOfMachine(path) ? `${quote}${lastPart(path)}${quote}` : whole,
      )
      .replace(SHARE, lastPart)
      .replace(BARE, (whole, path: string) => (isOfMachine(path) ? lastPart(path) : whole));
  };
}

/** The folder itself, not one whose path merely begins or ends like it. */
function patternOf(folder: string): RegExp {
  const literal = folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w.~-])(?:file://)?${literal}(?=[/\\\\]|[^\\w.~-]|$)`, 'g');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
