import type { configSchema } from './config-schema.ts';
import type { Json } from './json.ts';

/**
 * The configuration as it counts: defaults filled in, references resolved, `plugins` by name. Only keys that have no
 * default may be absent.
 */
export type Settings = Omit<SettingOf<typeof configSchema>, '$schema'>;

type SettingOf<Node> = Node extends { readonly anyOf: readonly (infer One)[] }
  ? Exclude<SettingOf<One>, readonly unknown[]>
  : Node extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Node extends { readonly type: 'boolean' }
      ? boolean
      : Node extends { readonly type: 'integer' }
        ? number
        : Node extends { readonly type: 'string' }
          ? string
          : Node extends { readonly type: 'array'; readonly items: infer Item }
            ? readonly SettingOf<Item>[]
            : Node extends { readonly type: 'object'; readonly properties: infer Members }
              ? MembersOf<Members>
              : Node extends { readonly type: 'object'; readonly additionalProperties: infer Member }
                ? { readonly [name: string]: Member extends true ? Json : SettingOf<Member> }
                : never;

type MembersOf<Members> = {
  readonly [Name in keyof Members as IsThere<Members[Name]> extends true ? Name : never]: SettingOf<Members[Name]>;
} & {
  readonly [Name in keyof Members as IsThere<Members[Name]> extends true ? never : Name]?: SettingOf<Members[Name]>;
};

/** Keys with a default, and objects that hold keys. */
type IsThere<Node> = Node extends { readonly default: unknown } | { readonly properties: object } ? true : false;
