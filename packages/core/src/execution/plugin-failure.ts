import { HostCode } from './host-code.ts';

/** An error of code that an author runs in this process. */
export interface PluginFailure {
  readonly kind: 'plugin' | 'tool' | 'config';
  /** Of the plugin, of the inline tool, or of the configuration file. */
  readonly name: string;
  /** What the error says, without paths of this machine. */
  readonly message: string;
  /** `plugin.ts:12:9`; absent when the error does not tell. */
  readonly file?: string;
}

/**
 * Whose fault an error is that nobody caught: to be asked in a handler of `uncaughtException` or
 * `unhandledRejection`. Absent for errors that began neither in a plugin, nor in an inline tool of a project, nor in a
 * configuration file. This package installs no such handler; a program that wants to go on serving does.
 *
 * @example
 * process.on('uncaughtException', (error) => {
 *   const failure = pluginFailure(error);
 *   if (failure === undefined) throw error;
 *   console.error(failure.name, failure.message, failure.file);
 * });
 */
export function pluginFailure(thrown: unknown): PluginFailure | undefined {
  const { owner } = HostCode.ofProcess();
  return owner === undefined ? undefined : { kind: owner.kind, name: owner.name, ...owner.tell(thrown) };
}
