import type { Locale, PluginFailure } from 'baigong';
import { escapeControls } from './terminal/escape-controls.ts';
import { cliText } from './texts.ts';

const TEXTS = {
  plugin: 'pluginFailedLater',
  tool: 'toolFailedLater',
  config: 'configFailedLater',
} as const satisfies Record<PluginFailure['kind'], string>;

/** One line about what code of the project did when nobody waited for it any more. */
export function showPluginFailure({ kind, name, message, file }: PluginFailure, locale: Locale): string {
  const values = {
    name: escapeControls(name),
    reason: escapeControls(message),
    place: file === undefined ? '' : ` (${escapeControls(file)})`,
  };
  return cliText(TEXTS[kind], locale, values);
}
