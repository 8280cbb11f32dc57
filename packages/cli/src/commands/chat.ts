import { basename, resolve } from 'node:path';
import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { AnswerInput, Reply, Runtime, Turn, TurnEvent } from 'baigong';
import pc from 'picocolors';
import {
  type CommandContext,
  GRACE_MS,
  isAttended,
  localPrincipal,
  openRuntime,
  toCliError,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { discardLine } from '../terminal/discard-line.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { readLines } from '../terminal/read-lines.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { cliText } from '../texts.ts';
import { AskPerson } from './ask-person.ts';
import { findSession, type SessionChoice } from './find-session.ts';
import { listTools } from './list-tools.ts';
import { renderTurn, toolEndLine } from './render-turn.ts';
import { showNotice } from './show-notice.ts';
import { showHeld, showParked } from './show-parked.ts';
import { showReply } from './show-reply.ts';

const MAX_LINE_CHARS = 1_048_576;
const COMMANDS = [
  '/tools',
  '/session',
  '/reset',
  '/approvals',
  '/approve',
  '/deny',
  '/answer',
  '/cancel',
  '/help',
  '/exit',
] as const;
/** Never wait for an answer under way. */
const AT_ONCE = /^\/(approvals|approve|deny|answer|cancel)(\s|$)/i;
const EXIT = /^\/(exit|quit)$/;
const PROMPT = pc.bold('› ');
/** A path or a regular expression at the start of a message is none. */
const COMMAND = /^\/[a-z-]+(\s|$)/i;

/** Talks to the agent: in a terminal with a prompt; from a pipe line by line, then it ends. Gives the exit code. */
export async function runChat(context: CommandContext, choice: SessionChoice): Promise<number> {
  const { promise: started, resolve: start } = Promise.withResolvers<Chat>();
  let chat: Chat | undefined;
  const runtime = await openRuntime(context, 'chat', {
    onNotice: (notice) => chat?.notice(showNotice(notice, runtime)),
    onTakeUp: (turn) => void started.then((one) => one.follow(turn)),
    replies: {
      reaches: ({ sessionKey }) => sessionKey === chat?.session,
      send: async (reply) => void chat?.reply(reply),
    },
  });
  try {
    const session = (await findSession(runtime, choice, runtime.locale)) ?? newSessionName();
    chat = new Chat({ ...context, locale: runtime.locale }, runtime, session);
    start(chat);
    if (context.signal.aborted) return exitCode.ok;
    return process.stdin.isTTY === true ? await chat.interactive() : await chat.piped();
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close({ graceMs: GRACE_MS });
  }
}

function newSessionName(): string {
  return `chat-${new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}-${process.pid}`;
}

class Chat {
  readonly #context: CommandContext;
  readonly #runtime: Runtime;
  readonly session: string;
  readonly #asks: AskPerson;
  #code: number = exitCode.ok;
  #isAnswering = false;
  /** While it talks in a terminal. */
  #lines: Interface | undefined;

  constructor(context: CommandContext, runtime: Runtime, session: string) {
    this.#context = context;
    this.#runtime = runtime;
    this.session = session;
    const { output, locale } = context;
    const prompt = (question: string | undefined) => this.#ask(question);
    const discard = async () => {
      if (this.#lines !== undefined) await discardLine(this.#lines, process.stdin);
    };
    this.#asks = new AskPerson({ runtime, output, locale, principal: localPrincipal(), session, prompt, discard });
  }

  /** A turn of this session goes on by itself: what it asks is asked here. */
  async follow(turn: Turn): Promise<void> {
    if (turn.sessionKey !== this.session) return;
    const { locale } = this.#context;
    const say = (text: string) => this.#asks.after(() => this.notice(text));
    for await (const event of turn) {
      this.#hear(event);
      if (event.type === 'tool-end') say(pc.dim(`${toolEndLine(event, locale)}\n`));
      if (event.type === 'turn-parked') say(showParked(event.asks, locale));
    }
  }

  /** What a turn came to whose message was written some time ago. */
  reply(reply: Reply): void {
    const { locale, output } = this.#context;
    const text = showReply(reply, output.isTerminal);
    this.#asks.after(() => {
      if (this.#lines === undefined) {
        output.notice(`${pc.dim(cliText('replyFollows', locale))}\n`);
        output.answer(text);
      } else this.notice(`${pc.dim(cliText('replyFollows', locale))}\n${text}`);
    });
  }

  #hear(event: TurnEvent): void {
    if (event.type === 'ask-open') {
      if (isAttended()) this.#asks.opened(event.ask);
      else if (event.holds === true) this.notice(showHeld(event.ask, this.#context.locale));
    }
    if (event.type === 'ask-closed') this.#asks.closed(event.askId, event.answer.kind);
    if (event.type === 'turn-parked' || event.type === 'turn-end') this.#asks.left(event.turnId);
  }

  #ask(question: string | undefined): void {
    const lines = this.#lines;
    if (lines === undefined) return;
    lines.setPrompt(question ?? PROMPT);
    if (question !== undefined || !this.#isAnswering) lines.prompt(true);
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
    const { locale, output, signal, interrupt } = this.#context;
    // Told to end, what runs gets its time, then it is put aside; Ctrl-C cancels it.
    signal.addEventListener('abort', () => void this.#runtime.close({ graceMs: interrupt.aborted ? 0 : GRACE_MS }));
    for await (const line of readLines(untilStopped(process.stdin, signal), MAX_LINE_CHARS)) {
      if (signal.aborted) break;
      if (line.tooLong) {
        output.notice(`${pc.red(cliText('lineTooLong', locale, { limit: MAX_LINE_CHARS }))}\n`);
        this.#code = exitCode.usage;
        continue;
      }
      if (await this.#begin(line.text, interrupt)()) break;
    }
    return signal.aborted ? exitCode.ok : this.#code;
  }

  async interactive(): Promise<number> {
    const { output, locale } = this.#context;
    output.notice(this.#banner());
    const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: PROMPT });
    this.#lines = lines;
    /** Of the messages that are not answered yet, the oldest first. */
    const running = new Set<AbortController>();
    const cancelAll = () => {
      for (const controller of running) controller.abort();
    };
    let isEnding = false;
    let leaving = false;
    let closed = false;
    let isLost = false;
    const isPutAside = () => this.#context.signal.aborted || this.#asks.isAsking || isLost;
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const onKey = (_text: string | undefined, key: { readonly name?: string } | undefined) => {
      if (key?.name === 'escape') [...running][0]?.abort();
    };
    process.stdin.on('keypress', onKey);
    lines.on('SIGINT', () => {
      if (running.size > 0) cancelAll();
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
      process.stdin.off('keypress', onKey);
      // Told to end, hung up, or while a person is asked, the turn is put aside instead.
      if (!isPutAside()) cancelAll();
      leave();
    });
    // A terminal that is gone cannot be set back, which closing tries; the signal that says so comes later.
    lines.on('error', () => {
      if (isLost) return;
      isLost = true;
      lines.close();
    });
    this.#context.signal.addEventListener('abort', () => lines.close());
    // Messages are sent as they are typed, and answers are shown one after another.
    let queue: Promise<void> = Promise.resolve();
    const report = (error: unknown): void => {
      // One message that could not be answered does not end the conversation.
      const shown = toCliError(error, this.#context);
      output.notice(`${pc.red(shown instanceof Error ? shown.message : String(shown))}\n`);
    };
    lines.on('line', (line) => {
      leaving = false;
      if (AT_ONCE.test(line.trim())) {
        void this.#control(line.trim())
          .catch(report)
          .finally(() => {
            if (this.#asks.isAsking || !this.#isAnswering) this.#lines?.prompt(true);
          });
        return;
      }
      if (this.#asks.isAsking) {
        if (EXIT.test(line.trim())) {
          lines.close();
          return;
        }
        this.#asks.line(line).catch(report);
        return;
      }
      // What follows an exit was meant for whatever comes after it.
      if (isEnding) return;
      isEnding = EXIT.test(line.trim());
      const controller = new AbortController();
      running.add(controller);
      let answer: () => Promise<boolean>;
      try {
        answer = this.#begin(line, controller.signal);
      } catch (error) {
        answer = () => Promise.reject(error);
      }
      queue = queue.then(async () => {
        if (closed) return;
        this.#isAnswering = true;
        try {
          if (await answer()) lines.close();
        } catch (error) {
          report(error);
        } finally {
          running.delete(controller);
          this.#isAnswering = false;
        }
        prompt(lines, closed);
      });
    });
    lines.prompt();
    await left;
    // What runs gets its time, what waits is put aside.
    if (isPutAside()) await this.#runtime.close({ graceMs: GRACE_MS });
    await queue;
    this.#asks.flush();
    output.notice(`\n${pc.dim(cliText('sessionIs', locale, { session: escapeControls(this.session) }))}\n`);
    return exitCode.ok;
  }

  /** Begins to answer one line; what it gives shows the answer. True = the chat ends. */
  #begin(line: string, signal: AbortSignal): () => Promise<boolean> {
    const message = line.trim();
    if (message === '') return async () => false;
    if (AT_ONCE.test(message)) {
      return async () => {
        await this.#control(message);
        return false;
      };
    }
    if (COMMAND.test(message) && !/^\/tool(\s|$)/.test(message)) return () => this.#command(message);
    const turn = this.#runtime.run({
      text: line,
      session: this.session,
      origin: { kind: 'cli' },
      principal: localPrincipal(),
      attended: isAttended(),
      signal,
    });
    return async () => {
      const { locale, options } = this.#context;
      const output = this.#asks.behind(this.#context.output);
      const result = await renderTurn(turn, options.output, output, locale, (event) => this.#hear(event));
      if (result.status === 'parked') this.#code = exitCode.parked;
      else if (result.status !== 'done') this.#code = exitCode.turn;
      return false;
    };
  }

  /** Answers and cancels: they go past whatever is being answered. */
  async #control(message: string): Promise<void> {
    const { locale, output } = this.#context;
    const [, command = '', code, words = ''] = /^(\S+)(?:\s+(\S+)(?:\s+(.*))?)?$/s.exec(message) ?? [];
    const all = await this.#runtime.asks();
    const open = all.filter(({ sessionKey }) => sessionKey === this.session);
    switch (command.toLowerCase()) {
      case '/cancel': {
        const { turns } = await this.#runtime.cancel({ session: this.session }, { principal: localPrincipal() });
        const key = turns.length > 0 ? 'turnCancelled' : open.length > 0 ? 'onlyWaits' : 'nothingToCancel';
        this.notice(`${pc.dim(cliText(key, locale, { turns: turns.join(', ') }))}\n`);
        return;
      }
      case '/approvals': {
        const elsewhere = all.length - open.length;
        if (elsewhere === 0 || open.length > 0) {
          this.notice(open.length === 0 ? `${cliText('noAsks', locale)}\n` : showParked(open, locale));
        }
        if (elsewhere > 0) this.notice(`${cliText('asksElsewhere', locale, { count: elsewhere })}\n`);
        return;
      }
      default: {
        const [only, another] = open;
        const wanted = code ?? (another === undefined ? only?.code : undefined);
        if (wanted === undefined) {
          const none = `${cliText('noAsks', locale)}\n`;
          output.notice(open.length === 0 ? none : `${cliText('whichAsk', locale)}\n${showParked(open, locale)}`);
          return;
        }
        const unseen = all.find((ask) => ask.code === wanted.toUpperCase() && ask.kind === 'approval');
        if (command.toLowerCase() === '/approve' && unseen !== undefined && this.#asks.mustShow(unseen)) {
          // Nothing is approved that was not shown here.
          this.#asks.lookAt(unseen);
          return;
        }
        const input: AnswerInput =
          command.toLowerCase() === '/approve'
            ? { approve: true }
            : command.toLowerCase() === '/answer'
              ? { value: words }
              : { approve: false, ...(words === '' ? {} : { reason: words }) };
        await this.#asks.answer(wanted, input);
      }
    }
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
        output.notice(`${cliText('sessionIs', locale, { session: escapeControls(this.session) })}\n`);
        return false;
      case '/reset':
        await this.#runtime.resetSession(this.session);
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
