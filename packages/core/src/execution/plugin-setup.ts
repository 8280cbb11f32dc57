import { inspect } from 'node:util';
import { definitionKind } from '../authoring/definition-kind.ts';
import { type DefinitionDescription, describeDefinition } from '../authoring/describe-definition.ts';
import type { PluginContext } from '../authoring/plugin-definition.ts';
import type { AddedCapability, EntryKind, ProvidedService } from '../contracts/code-host.ts';
import type { LogLevel } from '../contracts/executor.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showValue } from '../contracts/show-value.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits as limits } from './execution-limits.ts';
import { definitionProblem } from './load-problems.ts';
import type { PluginDisposal } from './plugin-disposal.ts';
import { readMember } from './read-member.ts';

type AddedKind = Exclude<EntryKind, 'plugin'> | 'skill';

export interface PluginSetupOptions {
  readonly plugin: string;
  readonly disposal: PluginDisposal;
  readonly service: (token: string) => ProvidedService | undefined;
  readonly log: (level: LogLevel, message: string) => void;
  /** Where the author's code that is running now stands. */
  readonly here: () => string;
}

const MADE_BY = {
  tool: 'defineAgentTool(…)',
  'prompt-section': 'defineAgentPromptSection(…)',
  hook: 'defineHook(…)',
  skill: '{ description, body }',
} as const satisfies Record<AddedKind, string>;

/** What a `setup` adds and provides while it runs, every fault noted where it was made. */
export class PluginSetup {
  readonly problems: Problem[] = [];
  readonly added = new Map<string, AddedCapability>();
  /** The author's objects, by `kind:name`. */
  readonly live = new Map<string, object>();
  readonly services = new Map<string, ProvidedService>();
  readonly #options: PluginSetupOptions;
  #state: 'open' | 'done' | 'failed' = 'open';

  constructor(options: PluginSetupOptions) {
    this.#options = options;
  }

  /** From now on nothing can be added; what a failed setup still opens is disposed at once. */
  close(state: 'done' | 'failed'): void {
    this.#state = state;
  }

  note(problem: Problem): void {
    if (this.problems.length < limits.problemsPerEntry) this.problems.push(problem);
  }

  /** What `setup` is called with. */
  context(config: unknown): PluginContext<unknown> {
    const log = (level: LogLevel) => (message: unknown) =>
      this.#options.log(level, (typeof message === 'string' ? message : inspect(message)).slice(0, limits.logChars));
    return {
      config: { get: () => config },
      addTool: (name, tool) => this.#add('tool', name, tool),
      addPromptSection: (name, section) => this.#add('prompt-section', name, section),
      addSkill: (name, skill) => this.#add('skill', name, skill),
      addHook: (name, hook) => this.#add('hook', name, hook),
      provide: (token, service, options) => this.#provide(token, service, options),
      use: (token) => this.#use(token) as never,
      onDispose: (dispose) => this.#onDispose(dispose),
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    };
  }

  #add(kind: AddedKind, name: unknown, definition: unknown): void {
    const operation = kind === 'prompt-section' ? 'addPromptSection' : `add${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    if (this.#isOver(operation)) return;
    const file = this.#options.here();
    if (!isName(name)) {
      const limit = limits.nameChars;
      const message = text('execution.added-without-name', { file, kind, found: showValue(name), limit });
      this.note({ code: 'INVALID_NAME', file, found: showValue(name), message, fatal: true });
      return;
    }
    const field = `${kind}/${name}`;
    const key = `${kind}:${name}`;
    if (this.added.has(key)) {
      const message = text('execution.added-twice', { file, kind, name });
      this.note({ code: 'DUPLICATE_NAME', file, field, found: name, message, fatal: true });
      return;
    }
    if (this.added.size >= limits.addedPerPlugin) {
      const message = text('execution.added-too-many', { file, limit: limits.addedPerPlugin });
      this.note({ code: 'TOO_MANY', file, field, message, fatal: true });
      return;
    }
    const fits = kind === 'skill' ? isObject(definition) : kindOf(definition) === kind;
    if (!fits) {
      const expected = MADE_BY[kind];
      const found = kindOf(definition) ?? (definition === null ? 'null' : typeof definition);
      const message = text('execution.added-other', { file, kind, name, found, expected });
      this.note({ code: 'WRONG_TYPE', file, field, found, expected, message, fatal: true });
      return;
    }
    const description = describeDefinition(definition as object, kind);
    this.#noteFaults(description, file, field);
    const { fields, ownValidator, texts } = description;
    this.added.set(key, { kind, name, fields, ownValidator, ...(texts === undefined ? {} : { texts }) });
    this.live.set(key, definition as object);
  }

  #noteFaults({ faults }: DefinitionDescription, file: string, field: string): void {
    for (const fault of faults) {
      const problem = definitionProblem(fault, file);
      this.note({ ...problem, field: `${field}/${problem.field ?? ''}` });
    }
  }

  #provide(token: unknown, value: unknown, options: unknown): void {
    if (this.#isOver('provide')) return;
    const file = this.#options.here();
    const name = tokenName(token);
    if (name === undefined) {
      const found = showValue(token);
      const message = text('execution.not-a-token', { file, found });
      this.note({ code: 'WRONG_TYPE', file, found, expected: 'defineToken(…)', message, fatal: true });
      return;
    }
    if (this.services.has(name)) {
      const message = text('execution.provided-twice', { file, token: name });
      this.note({ code: 'DUPLICATE_NAME', file, found: name, message, fatal: true });
      return;
    }
    if (this.services.size >= limits.providedPerPlugin) {
      const message = text('execution.provided-too-many', { file, limit: limits.providedPerPlugin });
      this.note({ code: 'TOO_MANY', file, message, fatal: true });
      return;
    }
    this.services.set(name, { token: name, value, remote: this.#remoteOf(name, value, options, file) });
  }

  #remoteOf(token: string, value: unknown, options: unknown, file: string): readonly string[] {
    const remote = readMember(options, 'remote');
    if (remote === undefined) return [];
    if (!Array.isArray(remote) || remote.length > limits.remotePerService) {
      const message = text('execution.remote-list', { file, token, limit: limits.remotePerService });
      this.note({ code: 'WRONG_TYPE', file, field: 'remote', found: showValue(remote), message, fatal: true });
      return [];
    }
    return remote.filter((method: unknown): method is string => {
      if (isName(method) && typeof readMember(value, method) === 'function') return true;
      const found = showValue(method);
      const [nearest] = isName(method) ? nearestNames(method, methodsOf(value), 1) : [];
      this.note({
        code: 'UNKNOWN_METHOD',
        file,
        field: 'remote',
        found,
        ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
        message: text('execution.remote-unknown', { file, token, method: found }),
        ...(nearest === undefined ? {} : { hint: text('execution.did-you-mean', { name: showValue(nearest) }) }),
        fatal: true,
      });
      return false;
    });
  }

  #use(token: unknown): unknown {
    const name = tokenName(token) ?? showValue(token);
    const provided = this.services.get(name) ?? this.#options.service(name);
    if (provided !== undefined) return provided.value;
    const { plugin } = this.#options;
    throw new Error(renderText(text('execution.service-missing', { plugin, token: name }), 'en'));
  }

  #onDispose(dispose: unknown): void {
    if (typeof dispose !== 'function') throw new TypeError(renderText(text('execution.dispose-no-function'), 'en'));
    const run = dispose as () => unknown;
    if (this.#state === 'failed') void this.#options.disposal.runLate(run);
    else if (!this.#isOver('onDispose')) this.#options.disposal.add(run);
  }

  /** What comes late comes from a timer, as a rule, where an error would end the whole program. */
  #isOver(operation: string): boolean {
    if (this.#state === 'open') return false;
    const { plugin, log, here } = this.#options;
    log('warn', renderText(text('execution.setup-is-over', { plugin, operation, file: here() }), 'en'));
    return true;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= limits.nameChars;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && kindOf(value) === undefined;
}

function kindOf(value: unknown): EntryKind | undefined {
  try {
    return definitionKind(value);
  } catch {
    return undefined;
  }
}

function tokenName(token: unknown): string | undefined {
  const name = typeof token === 'string' ? token : readMember(token, 'name');
  return isName(name) ? name : undefined;
}

/** Methods of an object and of its classes. */
function methodsOf(value: unknown): readonly string[] {
  const names = new Set<string>();
  for (let at = value; at !== null && at !== undefined && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name !== 'constructor' && typeof readMember(value, name) === 'function') names.add(name);
    }
  }
  return [...names];
}
