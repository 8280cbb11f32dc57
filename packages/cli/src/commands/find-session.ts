import type { Locale, Runtime } from 'baigong';
import { CliError } from '../cli-error.ts';
import { exitCode } from '../exit-code.ts';
import { cliText } from '../texts.ts';

const TURNS_SEARCHED = 1_000;

export interface SessionChoice {
  readonly session?: string;
  readonly continue?: boolean;
}

/** The session that the options name; `undefined` = a new one. */
export async function findSession(
  runtime: Runtime,
  choice: SessionChoice,
  locale: Locale,
): Promise<string | undefined> {
  if (choice.continue !== true) return choice.session;
  if (choice.session !== undefined) throw new CliError(cliText('sessionTwice', locale), exitCode.usage);
  // A direct call has a session too, but it is no conversation.
  const newest = (await runtime.turns(undefined, TURNS_SEARCHED)).find((turn) => turn.id.startsWith('turn_'));
  if (newest === undefined) throw new CliError(cliText('noSession', locale), exitCode.usage);
  return newest.sessionKey;
}
