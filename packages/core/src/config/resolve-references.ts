// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { isAbsolute, join } from 'node:path';
import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { readRegularFile } from '../registry/read-regular-file.ts';
import { findSchemaNode } from './find-schema-node.ts';
import { formatKeyPath } from './format-key-path.ts';
import { isJsonObject } from './is-json-object.ts';
import type { KeyPath } from './key-path.ts';
import { leafPath } from './leaf-path.ts';
import { MAX_CONFIG_FILE_BYTES } from './max-config-file-bytes.ts';
import { parseSettingText } from './parse-setting-text.ts';
import { splitReferences } from './split-references.ts';

/** Where references lead. */
export interface ReferenceTargets {
  /** Folder from which paths of files count. */
  readonly folder: string;
  /** An empty variable counts as not set. */
  readonly variable: (name: string) => string | undefined;
  /** The file (with line, where known) to which a key belongs. */
  readonly placeOf: (path: KeyPath) => string;
}

export interface ResolvedReferences {
  /** Without the keys whose references lead nowhere. */
  readonly value: JsonObject;
  readonly secrets: ReadonlySet<string>;
  readonly secretTexts: readonly string[];
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Replaces `${NAME}` in texts and `{ file: 'path' }` where a text is expected, or below the root of an open part, by
 * what they refer to. A reference that is all of a number's or switch's value is read as a variable of that key would
 * be. Never names a value in a problem.
 */
export async function resolveReferences(tree: JsonObject, targets: ReferenceTargets): Promise<ResolvedReferences> {
  const resolver = new Resolver(targets);
  const value = await resolver.members(tree, []);
  const { secrets, secretTexts, files, problems } = resolver;
  return { value, secrets, secretTexts, files, problems };
}

class Resolver {
  readonly secrets = new Set<string>();
  readonly secretTexts: string[] = [];
  readonly files: string[] = [];
  readonly problems: Problem[] = [];
  readonly #targets: ReferenceTargets;

  constructor(targets: ReferenceTargets) {
    this.#targets = targets;
  }

  async members(object: JsonObject, path: KeyPath): Promise<JsonObject> {
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(object)) {
      const resolved = await this.#value(member, [...path, name]);
      if (resolved !== undefined) members.push([name, resolved]);
    }
    return Object.fromEntries(members);
  }

  /** A list counts as one value: it is whole, or left out. */
  async #items(list: readonly Json[], path: KeyPath): Promise<readonly Json[] | undefined> {
    const before = this.problems.length;
    const items: Json[] = [];
    for (const [index, item] of list.entries()) {
      const resolved = await this.#value(item, [...path, index]);
      if (resolved !== undefined) items.push(resolved);
    }
    return this.problems.length === before ? items : undefined;
  }

  async #value(value: Json, path: KeyPath): Promise<Json | undefined> {
    const found = findSchemaNode(path);
    if (found === undefined) return value;
    if (typeof value === 'string') return this.#text(value, path, found.node);
    if (Array.isArray(value)) return this.#items(value as readonly Json[], path);
    if (!isJsonObject(value)) return value;
    const { file } = value;
    // The configuration of a plugin or of the project is an object in any case: there `file` is a member like others.
    const mayBeText = found.node.type === 'string' || found.open;
    if (mayBeText && typeof file === 'string' && Object.keys(value).length === 1) return this.#file(file, path);
    return this.members(value, path);
  }

  #text(value: string, path: KeyPath, node: ConfigSchemaNode): Json | undefined {
    if (!value.includes('${')) return value;
    const resolved = this.#substitute(value, path);
    if (resolved === undefined) return undefined;
    if (!resolved.refers) return resolved.text;
    this.#keepSecret(resolved.text, path);
    // In open parts nothing is known of the type: a text stays a text.
    return Object.keys(node).length === 0 ? resolved.text : parseSettingText(resolved.text, node);
  }

  #substitute(value: string, path: KeyPath): { readonly text: string; readonly refers: boolean } | undefined {
    const pieces = splitReferences(value);
    const place = this.#targets.placeOf(path);
    const key = formatKeyPath(path);
    if (pieces === undefined) {
      this.problems.push({
        code: 'INVALID_REFERENCE',
        file: place,
        field: key,
        expected: '${NAME} | ${NAME:-default} | $${',
        message: text('config.invalid-reference', { file: place, key }),
        hint: text('config.invalid-reference-hint'),
        fatal: true,
      });
      return undefined;
    }
    let result = '';
    let isWhole = true;
    let refers = false;
    const missing = new Set<string>();
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        result += piece;
        continue;
      }
      refers = true;
      const set = this.#targets.variable(piece.variable);
      const found = set ?? piece.fallback;
      if (set !== undefined) this.secretTexts.push(set);
      if (found !== undefined) result += found;
      else if (!missing.has(piece.variable)) {
        isWhole = false;
        missing.add(piece.variable);
        this.problems.push(this.#missingVariable(piece.variable, place, key));
      }
    }
    return isWhole ? { text: result, refers } : undefined;
  }

  async #file(written: string, path: KeyPath): Promise<string | undefined> {
    const named = this.#substitute(written, path);
    if (named === undefined) return undefined;
    const file = isAbsolute(named.text) ? named.text : join(this.#targets.folder, named.text);
    this.files.push(file);
    try {
      const content = (await readRegularFile(file, MAX_CONFIG_FILE_BYTES)).replace(/\r?\n$/, '');
      this.#keepSecret(content, path);
      return content;
    } catch (error) {
      const place = this.#targets.placeOf(path);
      const key = formatKeyPath(path);
      const reason = (error as NodeJS.ErrnoException).code ?? 'EIO';
      // The path as the author wrote it: what a variable in it holds is not shown.
      const values = { file: place, key, path: showText(written), reason };
      this.problems.push({
        code: 'MISSING_FILE',
        file: place,
        field: key,
        found: reason,
        message: text('config.missing-file', values),
        hint: text('config.missing-file-hint', values),
        fatal: true,
      });
      return undefined;
    }
  }

  #missingVariable(variable: string, place: string, key: string): Problem {
    return {
      code: 'MISSING_VARIABLE',
      file: place,
      field: key,
      message: text('config.missing-variable', { file: place, key, variable }),
      hint: text('config.missing-variable-hint', { variable }),
      fatal: true,
    };
  }

  #keepSecret(value: string, path: KeyPath): void {
    this.secrets.add(formatKeyPath(leafPath(path)));
    this.secretTexts.push(value);
  }
}
