import { basename, resolve } from 'node:path';
import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { Runtime, RuntimeNotice } from 'baigong';
import pc from 'picocolors';
import { type CommandContext, localPrincipal, openRuntime, toCliError } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { readLines } from '../terminal/read-lines.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { cliText } from '../texts.ts';
import { findSession, type SessionChoice } from './find-session.ts';
import { listTools } from './list-tools.ts';
import { renderTurn } from './render-turn.ts';
import { showNotice } from './show-notice.ts';

const MAX_LINE_CHARS = 1_048_576;
const COMMANDS = ['/tools', '/session', '/reset', '/help', '/exit'] as const;
/** A path or a regular expression at the start of a message is none. */
const COMMAND = /^\/[a-z-]+(\s|$)/i;

/** Talks to the agent: in a terminal with a prompt; from a pipe line by line, then it ends. Gives the exit code. */
export async function runChat(context: CommandContext, choice: SessionChoice): Promise<number> {
  let told = (notice: RuntimeNotice): void => void notice;
  const runtime = await openRuntime(context, 'chat', (notice) => told(notice));
  try {
    const session = (await findSession(runtime, choice, runtime.locale)) ?? newSessionName();
    const chat = new Chat({ ...context, locale: runtime.locale }, runtime, session);
    told = (notice) => chat.notice(showNotice(notice, runtime));
    return process.stdin.isTTY === true ? await chat.interactive() : await chat.piped();
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close();
  }
}

function newSessionName(): string {
  return `chat-${new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}-${process.pid}`;
}

class Chat {
  readonly #context: CommandContext;
  readonly #runtime: Runtime;
  readonly #session: string;
  #code: number = exitCode.ok;
  #isAnswering = false;
  /** While it talks in a terminal. */
  #lines: Interface | undefined;

  constructor(context: CommandContext, runtime: Runtime, session: string) {
    this.#context = context;
    this.#runtime = runtime;
    this.#session = session;
  }

  /** Says something beside the conversation; what is being typed stays. */
  notice(text: string): void {
    const { output } = this.#context;
    if (this.#lines === undefined || this.#isAnswering) {
      output.notice(text);
      return;
    }
    clearLine(process.stdout, 0);
    cursorTo(process.stdout, 0);
    output.notice(text);
    this.#lines.prompt(true);
  }

  async piped(): Promise<number> {
    const { locale, output, signal } = this.#context;
    for await (const line of readLines(untilStopped(process.stdin, signal), MAX_LINE_CHARS)) {
      if (signal.aborted) break;
      if (line.tooLong) {
        output.notice(`${pc.red(cliText('lineTooLong', locale, { limit: MAX_LINE_CHARS }))}\n`);
        this.#code = exitCode.usage;
        continue;
      }
      if (await this.#handle(line.text, signal)) break;
    }
    return this.#code;
  }

  async interactive(): Promise<number> {
    const { output, locale } = this.#context;
    output.notice(this.#banner());
    const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: pc.bold('› ') });
    this.#lines = lines;
    let running: AbortController | undefined;
    let leaving = false;
    let closed = false;
    /** Lines that were typed ahead of the newest Ctrl-C are not answered any more. */
    let cancelled = 0;
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    lines.on('SIGINT', () => {
      cancelled++;
      if (running !== undefined) running.abort();
      else if (leaving) lines.close();
      else {
        leaving = true;
        output.notice(`\n${pc.dim(cliText('interruptHint', locale))}\n`);
        lines.prompt();
      }
    });
    // Back from Ctrl-Z the terminal is as others left it.
    lines.on('SIGCONT', () => prompt(lines, closed));
    lines.on('close', () => {
      closed = true;
      this.#lines = undefined;
      running?.abort();
      leave();
    });
    this.#context.signal.addEventListener('abort', () => lines.close());
    // One line at a time; what is typed during an answer waits.
    let queue: Promise<void> = Promise.resolve();
    lines.on('line', (line) => {
      leaving = false;
      const typed = cancelled;
      queue = queue.then(async () => {
        if (closed || typed !== cancelled) return;
        running = new AbortController();
        this.#isAnswering = true;
        try {
          if (await this.#handle(line, running.signal)) lines.close();
        } catch (error) {
          // One message that could not be answered does not end the conversation.
          const shown = toCliError(error, this.#context);
          output.notice(`${pc.red(shown instanceof Error ? shown.message : String(shown))}\n`);
        } finally {
          running = undefined;
          this.#isAnswering = false;
        }
        prompt(lines, closed);
      });
    });
    lines.prompt();
    await left;
    await queue;
    output.notice(`\n${pc.dim(cliText('sessionIs', locale, { session: escapeControls(this.#session) }))}\n`);
    return exitCode.ok;
  }

  /** Answers one line. True = the chat ends. */
  async #handle(line: string, signal: AbortSignal): Promise<boolean> {
    const { locale, output, options } = this.#context;
    const message = line.trim();
    if (message === '') return false;
    if (COMMAND.test(message) && !/^\/tool(\s|$)/.test(message)) return await this.#command(message);
    const turn = this.#runtime.run({
      text: line,
      session: this.#session,
      origin: { kind: 'cli' },
      principal: localPrincipal(),
      signal,
    });
    const result = await renderTurn(turn, options.output, output, locale);
    if (result.status !== 'done') this.#code = exitCode.turn;
    return false;
  }

  async #command(message: string): Promise<boolean> {
    const { locale, output } = this.#context;
    switch (message) {
      case '/exit':
      case '/quit':
        return true;
      case '/help':
        output.notice(`${cliText('help', locale)}\n`);
        if (this.#runtime.model.offline) output.notice(`${cliText('helpOffline', locale)}\n`);
        return false;
      case '/tools':
        output.notice(listTools(this.#runtime, locale));
        return false;
      case '/session':
        output.notice(`${cliText('sessionIs', locale, { session: escapeControls(this.#session) })}\n`);
        return false;
      case '/reset':
        await this.#runtime.resetSession(this.#session);
        output.notice(`${cliText('sessionReset', locale)}\n`);
        return false;
      default: {
        const command = escapeControls(message.split(/\s/, 1)[0] ?? message).slice(0, 40);
        output.notice(`${cliText('unknownCommand', locale, { command, commands: COMMANDS.join(' ') })}\n`);
        this.#code = exitCode.usage;
        return false;
      }
    }
  }

  #banner(): string {
    const { locale, options } = this.#context;
    const { table, model } = this.#runtime;
    const project = escapeControls(basename(resolve(options.project)));
    const head = cliText('banner', locale, { project, tools: table.tools.length, model: escapeControls(model.name) });
    const offline = model.offline ? `${cliText('bannerOffline', locale)}\n` : '';
    return `${pc.bold(`百工 Baigong`)} ${head}\n${offline}${pc.dim(cliText('bannerHelp', locale))}\n`;
  }
}

function prompt(lines: Interface, closed: boolean): void {
  // After Ctrl-D the interface is closed; prompting it would throw.
  if (!closed) lines.prompt(true);
}
