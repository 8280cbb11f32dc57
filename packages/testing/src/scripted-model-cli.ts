#!/usr/bin/env node
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ScriptedAnswer } from './answer.ts';
import { demoAnswer } from './demo-answer.ts';
import { parseScript } from './parse-script.ts';
import { recordLine } from './record-line.ts';
import type { ScriptedModelServer } from './scripted-model-server.ts';
import { startScriptedModel } from './start-scripted-model.ts';
import { type Language, textsFor } from './texts.ts';

/** A start that cannot succeed as asked; the message is for the person at the shell. */
class StartError extends Error {}

const texts = textsFor(shellLanguage());
try {
  await run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const options = readOptions();
  if (options.help === true) {
    process.stdout.write(`${texts.help}\n`);
    return;
  }
  const port = readPort(options.port);
  const answers = options.script === undefined ? [{ repeat: true, reply: demoAnswer }] : readScript(options.script);
  const record = options.record === undefined ? undefined : openRecord(options.record);
  const server = await start(port, {
    answers,
    lenient: options.lenient ?? false,
    onRequest(request) {
      if (record !== undefined) writeSync(record, recordLine(request));
      process.stderr.write(`${texts.request(request)}\n`);
    },
  });
  // Before the first line is printed, since a caller may send a signal as soon as it reads that line. Once only: a second
  // signal ends the process in the system's own way.
  const stop = () => void server.close().then(() => record !== undefined && closeSync(record));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { baseUrl } = server;
  process.stdout.write(
    `${texts.listening(baseUrl)}\n` +
      `OPENAI_BASE_URL=${baseUrl} OPENAI_API_KEY=scripted\n` +
      `ANTHROPIC_BASE_URL=${baseUrl} ANTHROPIC_API_KEY=scripted\n`,
  );
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        script: { type: 'string' },
        port: { type: 'string' },
        record: { type: 'string' },
        lenient: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new StartError(texts.badArguments(reasonOf(error)));
  }
}

function readPort(port = '4010'): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new StartError(texts.badPort(port));
  return Number(port);
}

function readScript(file: string): readonly ScriptedAnswer[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf-8');
  } catch (error) {
    throw new StartError(texts.cannotRead(file, reasonOf(error)));
  }
  const script = parseScript(text);
  if ('problems' in script) throw new StartError(texts.badScript(file, script.problems));
  return script.answers;
}

function openRecord(file: string): number {
  try {
    // For the owner only: requests carry keys in their headers.
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw new StartError(texts.cannotRecord(file, reasonOf(error)));
  }
}

async function start(port: number, options: Parameters<typeof startScriptedModel>[0]): Promise<ScriptedModelServer> {
  try {
    return await startScriptedModel({ ...options, port });
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new StartError(taken ? texts.portTaken(port) : texts.cannotListen(port, reasonOf(error)));
  }
}

/** As POSIX has it: the first of these variables that is set and not empty. */
function shellLanguage(): Language {
  const locale = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '';
  return locale.startsWith('zh') ? 'zh' : 'en';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
