import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import type { KeyPath } from './key-path.ts';

/** Where a value can come from; what is named later counts more. */
export type ConfigLevel = 'default' | 'home' | 'project' | 'code' | 'environment' | 'flag';

/** What one place says, as it was found. */
export interface RawLayer {
  readonly level: ConfigLevel;
  /** How the place is named in problems: a file, a variable, a flag. */
  readonly name: string;
  readonly value: unknown;
  /** Line and column of a key, where known. */
  readonly lineOf?: (path: KeyPath) => { readonly line: number; readonly column: number } | undefined;
  /** Folder from which relative paths in it count. */
  readonly folder: string | undefined;
  /** Texts in it may refer to variables and files. */
  readonly hasReferences: boolean;
}

/** What one place says, checked: it holds known keys with possible values only. */
export interface Layer {
  readonly level: ConfigLevel;
  readonly value: JsonObject;
  /** Where a key was said: file with line, variable, flag. */
  readonly placeOf: (path: KeyPath) => string | undefined;
  /** Keys (as `formatKeyPath` writes them) whose value came by reference. */
  readonly secrets: ReadonlySet<string>;
}

/** A checked layer and what came to light with it. */
export interface CheckedLayer {
  readonly layer: Layer;
  readonly problems: readonly Problem[];
  /** Texts that must never be shown. */
  readonly secretTexts: readonly string[];
  /** Files that it refers to, absolute. */
  readonly files: readonly string[];
}
