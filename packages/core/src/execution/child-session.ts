import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { LiveTool } from '../contracts/capability.ts';
import type { DescribedEntry, PluginInstance } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type { CallRequest, ContextHost, ContextOperation, ExecutorEnd } from '../contracts/executor.ts';
import type { ChildFrame, DescribeRequest, FrameCode, HostFrame } from '../contracts/frame.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { ChildGraphs } from './child-graphs.ts';
import { createToolContext } from './create-tool-context.ts';
import { describeEntry } from './describe-entry.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { abortReason, type StopReason } from './ended-early.ts';
import { executeDefinition } from './execute-definition.ts';
import { executionLimits } from './execution-limits.ts';
import type { FailedEnd } from './failed-end.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';
import type { WriteFrame } from './frame-writer.ts';
import { declarationTooLarge, loadProblems, setUpTooLarge } from './load-problems.ts';
import { loadTool } from './load-tool.ts';
import type { Surroundings } from './surroundings.ts';
import { validateInput } from './validate-input.ts';

export interface ChildSessionOptions {
  /** Absolute path of the graph's folder. */
  readonly root: string;
  readonly send: WriteFrame<ChildFrame>;
  readonly surroundings: Surroundings;
  readonly exit: (code: number) => void;
  /** Called whenever a request has been answered. */
  readonly onAnswered: () => void;
}

/** The request that is being answered. There is one at a time. */
interface Running {
  readonly id: string;
  readonly locale: Locale;
  readonly reading: FailureReading;
  readonly controller: AbortController;
  readonly asked: Map<number, PromiseWithResolvers<Json | undefined>>;
  /** Has the tool's code begun, its loading not counted? */
  begun: boolean;
}

interface StrayError {
  readonly error: unknown;
  /** The entry whose code it came from, if that is known. */
  readonly entry: string | undefined;
}

/** The child's side of the pipe: receives graphs, describes their entries, sets plugins up, validates, and runs calls. */
export class ChildSession {
  readonly #options: ChildSessionOptions;
  readonly #graphs: ChildGraphs;
  #running: Running | undefined;
  readonly #loading = new AsyncLocalStorage<string>();
  #questions = 0;
  /** Are files being loaded to be described? So it is until the first other request, between two files too. */
  #isDescribing = false;
  /** Errors that nobody caught meanwhile. */
  #stray: StrayError[] = [];

  constructor(options: ChildSessionOptions) {
    this.#options = options;
    // Outside a conversation nobody listens; in one, what is printed belongs to it.
    this.#graphs = new ChildGraphs(options.root, (level, message) => {
      const stream = level === 'warn' || level === 'error' ? process.stderr : process.stdout;
      stream.write(`${message}\n`);
    });
  }

  /** Takes a frame of the host. Long work goes on beside, so that a `cancel` is heard. */
  handle(frame: HostFrame): void {
    switch (frame.type) {
      case 'module':
        this.#graphs.addModule(frame.module);
        return;
      case 'graph':
        this.#graphs.addGraph(frame.graph, frame.modules);
        return;
      case 'forget':
        this.#graphs.forget(frame.graph);
        return;
      case 'describe':
        void this.#describeAll(frame.graph, frame.entries);
        return;
      case 'set-up':
        void this.#setUp(frame);
        return;
      case 'validate':
        void this.#validate(frame.id, frame.code, frame.config, frame.input);
        return;
      case 'call':
        void this.#call(frame.id, frame.code, frame.request);
        return;
      case 'dispose':
        void this.#dispose(frame);
        return;
      case 'ping':
        // What nobody caught would have ended this process, had it not been for the files still to be described.
        if (this.#stray.length > 0) this.#options.exit(1);
        else void this.#options.send({ type: 'pong', id: frame.id });
        return;
      case 'context-result':
        this.#answer(frame);
        return;
      case 'cancel':
        if (this.#running?.id === frame.id) {
          this.#running.controller.abort(abortReason(frame.reason as StopReason));
        }
        return;
    }
  }

  /**
   * An error that no code caught. While files are loaded it is a fault of the file that is being loaded. In a call it
   * ends the call, whoever caused it: a broken process must not report success. Then the process ends, as Node's
   * would.
   */
  failUncaught(error: unknown): void {
    const running = this.#running;
    if (this.#isDescribing) {
      if (this.#stray.length >= executionLimits.problemsPerEntry) return;
      this.#stray.push({ error, entry: this.#loading.getStore() });
      return;
    }
    if (running === undefined) {
      this.#options.exit(1);
      return;
    }
    this.#running = undefined;
    const failure = describeFailure(error, running.locale, running.reading);
    const message = renderText(text('execution.uncaught', { reason: failure.message }), running.locale);
    const bounded = message.slice(0, executionLimits.messageChars);
    void this.#sendFailure(running, { ...failure, code: 'EXECUTION_ERROR', message: bounded }).then(() =>
      this.#options.exit(1),
    );
  }

  async #describeAll(graph: Digest, requests: readonly DescribeRequest[]): Promise<void> {
    // By index: an iterator that an author replaced would be handed ids that are still to come.
    for (let index = 0; index < requests.length; index += 1) {
      const request = requests[index];
      if (request !== undefined) await this.#describe(graph, request);
    }
  }

  async #describe(graph: Digest, { id, entry, kind }: DescribeRequest): Promise<void> {
    const code = this.#graphs.code(graph);
    const running = this.#begin(id, 'en', code.reading);
    this.#isDescribing = true;
    const described = await this.#loading.run(entry, () => describeEntry(code, { entry, kind }));
    // Rejections that nobody handles are reported after the microtasks that follow them.
    await setImmediate();
    const stray = this.#stray;
    this.#stray = [];
    const problems = stray.flatMap((one) => loadProblems(one.error, one.entry ?? entry, code.reading));
    const all = [...described.problems, ...problems].slice(0, executionLimits.problemsPerEntry);
    if (this.#running === running) this.#running = undefined;
    await this.#sendDescribed(id, { ...described, problems: all });
    this.#options.onAnswered();
  }

  async #sendDescribed(id: string, described: DescribedEntry): Promise<void> {
    try {
      await this.#options.send({ type: 'described', id, entry: described });
    } catch (error) {
      if (!(error instanceof FrameTooLargeError)) throw error;
      const { entry } = described;
      await this.#options.send({ type: 'described', id, entry: { entry, problems: [declarationTooLarge(entry)] } });
    }
  }

  async #setUp(frame: Extract<HostFrame, { readonly type: 'set-up' }>): Promise<void> {
    const { id, entry, plugin } = frame;
    const { reading } = this.#graphs.code(frame.graph);
    const running = this.#begin(id, 'en', reading);
    await this.#start(running);
    let instance: PluginInstance;
    try {
      instance = await this.#graphs.setUp(frame, plugin, running.controller.signal);
    } catch (error) {
      return this.#fail(running, describeFailure(error, 'en', reading));
    }
    // Rejections that nobody handles are reported after the microtasks that follow them.
    await setImmediate();
    try {
      await this.#end(running, { type: 'set-up', id, plugin: instance.setUp });
    } catch (error) {
      if (!(error instanceof FrameTooLargeError)) throw error;
      const { config } = frame;
      await this.#graphs.dispose(frame);
      const problems = [setUpTooLarge(entry, plugin)];
      await this.#options.send({ type: 'set-up', id, plugin: { added: [], provided: [], config, problems } });
    }
  }

  async #dispose({ id, plugin }: Extract<HostFrame, { readonly type: 'dispose' }>): Promise<void> {
    await this.#graphs.dispose(plugin);
    await this.#options.send({ type: 'disposed', id });
  }

  async #validate(id: string, code: FrameCode, config: Json, input: JsonObject): Promise<void> {
    const { reading } = this.#graphs.code(code.graph);
    const running = this.#begin(id, 'en', reading);
    const { signal } = running.controller;
    const loaded = await loadTool(this.#graphs, code, config, 'en', signal);
    if (!loaded.ok) return this.#fail(running, loaded.end);
    await this.#start(running);
    try {
      const validated = await validateInput(loaded.definition as LiveTool, input, reading.clean);
      await this.#end(running, { type: 'validated', id, issues: validated.ok ? [] : validated.issues });
    } catch (error) {
      await this.#fail(running, describeFailure(error, 'en', reading));
    }
  }

  async #call(id: string, code: FrameCode, request: CallRequest): Promise<void> {
    const { reading } = this.#graphs.code(code.graph);
    const running = this.#begin(id, request.locale, reading);
    const { signal } = running.controller;
    const loaded = await loadTool(this.#graphs, code, request.config, request.locale, signal);
    if (!loaded.ok) return this.#fail(running, loaded.end);
    if (signal.aborted) return this.#fail(running, describeFailure(signal.reason, request.locale, reading));
    await this.#start(running);
    const bounded = createToolContext(request, this.#contextHost(running, code.graph, loaded.plugin), signal);
    const end = await executeDefinition(loaded.definition as LiveTool, request, bounded.context, reading);
    bounded.end();
    // A rejection that the code left unhandled is reported now, and then this is no success.
    await setImmediate();
    await this.#endCall(running, end, request.locale);
  }

  async #endCall(running: Running, end: ExecutorEnd, locale: Locale): Promise<void> {
    if (!end.ok) return this.#fail(running, end);
    const { id } = running;
    const { value, isParts } = end;
    try {
      await this.#end(running, {
        type: 'result',
        id,
        ...(value === undefined ? {} : { value }),
        ...(isParts === true ? { isParts } : {}),
      });
    } catch (error) {
      if (!(error instanceof FrameTooLargeError)) throw error;
      const limitMb = executionLimits.frameBytes / 1024 / 1024;
      const message = renderText(text('execution.result-too-large', { limitMb }), locale);
      await this.#sendFailure(running, { ok: false, code: 'INVALID_RESULT', message });
    }
  }

  #begin(id: string, locale: Locale, reading: FailureReading): Running {
    this.#isDescribing = false;
    const running: Running = {
      id,
      locale,
      reading,
      controller: new AbortController(),
      asked: new Map(),
      begun: false,
    };
    this.#running = running;
    // Files that are loaded find the process as the earlier ones found it.
    this.#options.surroundings.restore();
    return running;
  }

  /** Told before the code begins, since code that blocks lets nothing out. */
  #start(running: Running): Promise<void> {
    running.begun = true;
    this.#options.surroundings.restore();
    return this.#options.send({ type: 'started', id: running.id });
  }

  /** Sends the last frame of a request, unless an uncaught error has ended it already. */
  async #end(running: Running, frame: ChildFrame): Promise<void> {
    if (this.#running !== running) return;
    this.#running = undefined;
    await this.#options.send(frame);
    this.#options.onAnswered();
  }

  async #fail(running: Running, end: FailedEnd): Promise<void> {
    if (this.#running !== running) return;
    this.#running = undefined;
    await this.#sendFailure(running, end);
  }

  async #sendFailure({ id, begun }: Running, end: FailedEnd): Promise<void> {
    const { ok: _ok, effect: _effect, ...failure } = end;
    await this.#options.send({ type: 'error', id, ...failure, ...(begun ? {} : { unbegun: true }) });
  }

  #contextHost(running: Running, graph: Digest, plugin: PluginInstance | undefined): ContextHost {
    const { send } = this.#options;
    const { id } = running;
    return {
      ask: (operation, args, signal) => {
        this.#questions += 1;
        const request = this.#questions;
        const asked = Promise.withResolvers<Json | undefined>();
        running.asked.set(request, asked);
        const onAbort = (): void => {
          running.asked.delete(request);
          asked.reject(signal.reason);
        };
        if (signal.aborted) onAbort();
        else {
          signal.addEventListener('abort', onAbort, { once: true });
          send({ type: 'context', id, request, operation, args }).catch((error: unknown) => {
            running.asked.delete(request);
            asked.reject(error instanceof FrameTooLargeError ? questionTooLarge(operation, running.locale) : error);
          });
        }
        return asked.promise.finally(() => signal.removeEventListener('abort', onAbort));
      },
      progress: (value) => void send({ type: 'progress', id, value }),
      log: (level, message) => void send({ type: 'log', id, level, message }),
      ...(plugin === undefined
        ? {}
        : {
            live: {
              use: (token) => plugin.services.get(token) ?? this.#graphs.service(graph, token),
              client: undefined,
              config: plugin.config,
            },
          }),
    };
  }

  #answer(frame: Extract<HostFrame, { readonly type: 'context-result' }>): void {
    const asked = this.#running?.id === frame.id ? this.#running.asked.get(frame.request) : undefined;
    this.#running?.asked.delete(frame.request);
    if (frame.error === undefined) asked?.resolve(frame.value);
    else asked?.reject(new Error(frame.error));
  }
}

function questionTooLarge(operation: ContextOperation, locale: Locale): Error {
  const limitMb = executionLimits.frameBytes / 1024 / 1024;
  const message = operation.startsWith('session-')
    ? text('execution.session-too-large')
    : text('execution.question-too-large', { operation, limitMb });
  return new Error(renderText(message, locale));
}
