import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Digest } from '../contracts/digest.ts';
import type { ChildFrame, HostFrame } from '../contracts/frame.ts';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { createConversationId } from './create-conversation-id.ts';
import { readFrames } from './frame-reader.ts';
import { createFrameWriter, type WriteFrame } from './frame-writer.ts';
import { OutputCapture } from './output-capture.ts';
import { parseChildFrame } from './parse-child-frame.ts';
import type { ProcessGuard } from './process-guard.ts';

/** MiB of JavaScript heap that a child may use. */
export const CHILD_HEAP_MB = 256;

/** How a child ended. */
export interface ChildEnd {
  /** Why we ended it: what it did wrong. For the record. */
  readonly fault: string | undefined;
  /** It never ran: what the system said. */
  readonly startError: StartError | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outOfMemory: boolean;
}

export interface StartError {
  readonly code: string;
  readonly message: string;
  /** The system had too little of something at the moment; later it may go well. */
  readonly isShortage: boolean;
}

/** Who talks with a child at the moment. Frames come one at a time; nothing is read while one is handled. */
export interface ChildListener {
  onFrame(frame: ChildFrame, bytes: number): void | Promise<void>;
  onEnd(end: ChildEnd): void;
}

export interface ChildOptions {
  /** Absolute path of the folder whose code it runs. */
  readonly root: string;
  /** A module as the frame that brings it. */
  readonly encode: (module: SourceModule) => Uint8Array;
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: ProcessGuard;
}

/** Milliseconds. */
const START_LIMIT = 30_000;
/** After its end a child's last words may still be in the pipes; someone who holds them open is not waited for. */
const DRAIN_LIMIT = 200;
const STDERR_TAIL = 8_192;
/** Too many open files (here, anywhere), too many processes, too little memory. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/**
 * A child process that runs the code of one folder, and the pipe to it. It has a process group of its own, so that its
 * end takes its descendants with it; it ends by itself when this process does. It keeps this process alive while it
 * starts, while somebody talks with it, and while it is ending: whatever of it can be awaited, comes.
 */
export class Child {
  readonly root: string;
  /** Resolves with true when it is up, with false when it ended before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<ChildEnd>;
  /** Conversations held so far. */
  served = 0;
  /** Calls have run in it, or validators: what they left behind may be to blame for its end. */
  ranCalls = false;
  /** Plugins may have been set up in it, which want to tidy up before it ends. */
  holdsPlugins = false;

  readonly #process: ChildProcess | undefined;
  readonly #pipe: Duplex | undefined;
  readonly #write: WriteFrame<HostFrame>;
  readonly #encode: (module: SourceModule) => Uint8Array;
  /** What it has: graphs with their modules, and in how many of them each module is. */
  readonly #graphs = new Map<Digest, readonly Digest[]>();
  readonly #modules = new Map<Digest, number>();
  readonly #isReady = Promise.withResolvers<boolean>();
  readonly #hasEnded = Promise.withResolvers<ChildEnd>();
  #listener: ChildListener | undefined;
  #capture: OutputCapture | undefined;
  #stderrTail = '';
  #up = false;
  #alive = true;
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #fault: string | undefined;
  #startError: StartError | undefined;
  #isOver = false;

  constructor({ root, encode, environment, guard }: ChildOptions) {
    this.root = root;
    this.#encode = encode;
    this.ready = this.#isReady.promise;
    this.ended = this.#hasEnded.promise;
    this.#process = this.#spawn(root, environment);
    const [, stdout, stderr, pipe] = this.#process?.stdio ?? [];
    this.#pipe = pipe as Duplex | undefined;
    this.#write = this.#pipe === undefined ? async () => {} : createFrameWriter<HostFrame>(this.#pipe);
    if (this.#process === undefined) {
      this.#finish();
      return;
    }
    this.#process.once('error', (error) => this.#failStart(error));
    if (this.#pipe === undefined) {
      // Why will be said by an event, which comes first.
      setImmediate(() => this.#failStart(new Error('no pipe could be opened')));
      return;
    }
    const { pid } = this.#process;
    if (pid !== undefined) {
      guard.watch(pid);
      this.#process.once('exit', () => guard.forget(pid));
    }
    const started = setTimeout(() => this.kill('it did not start in time'), START_LIMIT);
    void this.ready.then(() => clearTimeout(started));
    this.#process.once('exit', (code, signal) => this.#onExit(code, signal));
    const closed = new Promise<void>((resolve) => this.#process?.once('close', () => resolve()));
    for (const stream of [stdout, stderr, pipe]) {
      // A pipe to a process that dies breaks; the end of the process says all there is to say.
      stream?.on('error', () => {});
      (stream as Socket | undefined)?.unref();
    }
    stdout?.on('data', (chunk: Uint8Array) => this.#capture?.add('stdout', chunk));
    stderr?.on('data', (chunk: Uint8Array) => this.#onStderr(chunk));
    const read = this.#read(this.#pipe);
    void Promise.all([closed, read]).then(() => this.#finish());
  }

  get alive(): boolean {
    return this.#alive;
  }

  has(graph: Digest): boolean {
    return this.#graphs.has(graph);
  }

  /** Sends what it lacks of a graph. */
  bring(graph: ModuleGraph): void {
    if (this.has(graph.digest) || this.#pipe === undefined || this.#pipe.destroyed) return;
    const modules = graph.modules.map(({ digest }) => digest);
    this.#graphs.set(graph.digest, modules);
    this.#pipe.cork();
    for (const module of graph.modules) {
      const held = this.#modules.get(module.digest) ?? 0;
      this.#modules.set(module.digest, held + 1);
      if (held === 0) this.#pipe.write(this.#encode(module));
    }
    void this.send({ type: 'graph', graph: graph.digest, modules });
    this.#pipe.uncork();
  }

  /** Lets go of a graph, here and there. */
  forget(graph: Digest): void {
    const modules = this.#graphs.get(graph);
    if (modules === undefined) return;
    this.#graphs.delete(graph);
    for (const module of modules) {
      const held = (this.#modules.get(module) ?? 0) - 1;
      if (held > 0) this.#modules.set(module, held);
      else this.#modules.delete(module);
    }
    void this.send({ type: 'forget', graph });
  }

  /** Opens a conversation; what it prints from now on belongs to it. Returns the id that its frames must bear. */
  attend(listener: ChildListener): string {
    this.#listener = listener;
    this.#capture = new OutputCapture();
    this.served += 1;
    this.#hold();
    return createConversationId();
  }

  /** Closes the conversation and gives what was printed in it. */
  dismiss(): OutputCapture {
    const capture = this.#capture ?? new OutputCapture();
    this.#listener = undefined;
    this.#capture = undefined;
    this.#hold();
    return capture;
  }

  /** Rejects with `FrameTooLargeError`, and then nothing was sent. */
  send(frame: HostFrame): Promise<void> {
    return this.#write(frame);
  }

  /** Ends it and its descendants at once. `fault`: what it did wrong, if that is why. */
  kill(fault?: string): void {
    this.#alive = false;
    if (this.#isOver) return;
    this.#fault ??= fault;
    this.#hold();
    this.#killGroup();
    this.#drain();
  }

  #spawn(root: string, environment: Readonly<Record<string, string>>): ChildProcess | undefined {
    const extension = extname(import.meta.filename);
    const flags = ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${CHILD_HEAP_MB}`];
    if (extension === '.ts') flags.push('--conditions=baigong-source');
    const main = join(import.meta.dirname, `child-main${extension}`);
    try {
      return spawn(process.execPath, [...flags, main, root], {
        cwd: root,
        env: environment,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      this.#startError = startErrorOf(error);
      this.#alive = false;
      return undefined;
    }
  }

  async #read(pipe: Duplex): Promise<void> {
    try {
      await readFrames(pipe, (value, bytes) => this.#onFrame(parseChildFrame(value), bytes));
    } catch (error) {
      this.kill(error instanceof Error ? error.message : String(error));
      return;
    }
    // A process whose pipe ends is about to end itself; one that closed it to go on is not let go on.
    const lingering = setTimeout(() => this.kill('it closed its pipe'), DRAIN_LIMIT);
    void this.ended.then(() => clearTimeout(lingering));
  }

  #onFrame(frame: ChildFrame, bytes: number): void | Promise<void> {
    // What it said before it was ended in peace still counts; of one that broke the rules nothing does.
    if (this.#fault !== undefined || this.#isOver) return;
    if (frame.type === 'ready' && !this.#up) {
      this.#up = true;
      this.#hold();
      this.#isReady.resolve(true);
      return;
    }
    if (!this.#up || this.#listener === undefined) {
      this.kill(`it sent a frame of type ${frame.type} that nobody expected`);
      return;
    }
    return this.#listener.onFrame(frame, bytes);
  }

  #onStderr(chunk: Uint8Array): void {
    this.#capture?.add('stderr', chunk);
    this.#stderrTail = (this.#stderrTail + Buffer.from(chunk).toString('latin1')).slice(-STDERR_TAIL);
  }

  #failStart(error: unknown): void {
    this.#startError ??= startErrorOf(error);
    this.#alive = false;
    this.#finish();
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#exit = { code, signal };
    this.#alive = false;
    // Descendants that stayed in the group outlive their parent otherwise.
    this.#hold();
    this.#killGroup();
    this.#drain();
  }

  /** The pipes of a process that is gone may be held open by others, so that their end never comes. */
  #drain(): void {
    const limit = setTimeout(() => this.#finish(), DRAIN_LIMIT);
    void this.ended.then(() => clearTimeout(limit));
  }

  #killGroup(): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const end: ChildEnd = {
      fault: this.#fault,
      startError: this.#startError,
      exitCode: this.#exit?.code ?? null,
      signal: this.#exit?.signal ?? null,
      outOfMemory: this.#stderrTail.includes('JavaScript heap out of memory'),
    };
    for (const stream of this.#process?.stdio ?? []) stream?.destroy();
    this.#isReady.resolve(false);
    this.#listener?.onEnd(end);
    this.#hold();
    this.#hasEnded.resolve(end);
  }

  /** Keeps this process alive as long as something is to come from the child. */
  #hold(): void {
    const isStarting = this.#alive && !this.#up;
    const isEnding = !this.#alive && !this.#isOver;
    const held = isStarting || isEnding || this.#listener !== undefined;
    const pipe = this.#pipe as Socket | undefined;
    for (const handle of [this.#process, pipe]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  }
}

function startErrorOf(error: unknown): StartError {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? 'unknown');
  const message = error instanceof Error ? error.message : String(error);
  return { code, message, isShortage: SHORTAGES.has(code) };
}
