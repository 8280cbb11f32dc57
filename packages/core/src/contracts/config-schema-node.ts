import type { Json } from './json.ts';

/** The parts of JSON Schema (2020-12) that the configuration uses, and our own keywords, which begin with `x-`. */
export interface ConfigSchemaNode {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly enum?: readonly string[];
  readonly anyOf?: readonly ConfigSchemaNode[];
  readonly properties?: { readonly [name: string]: ConfigSchemaNode };
  /** `false`: no other keys. `true`: anything, which is not ours to judge. A schema: names are free. */
  readonly additionalProperties?: boolean | ConfigSchemaNode;
  readonly propertyNames?: { readonly pattern: string };
  readonly items?: ConfigSchemaNode;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly default?: Json;
  readonly description?: string;
  readonly 'x-description-zh'?: string;
  /** A further environment variable that sets the key, and the one that is documented. */
  readonly 'x-environment'?: string;
  /** The value is never shown. */
  readonly 'x-secret'?: true;
  /** Accepted, and nothing reads it yet. */
  readonly 'x-no-effect-yet'?: true;
  /** How the allowed values are written for people, where type and limits do not say it. */
  readonly 'x-notation'?: string;
}
