import type { configSchema } from './config-schema.ts';

/**
 * What authors write in a configuration file: every key may be left out, and where a text is expected
 * `{ file: 'path' }` stands for the text of that file.
 */
export type ConfigInput = InputOf<typeof configSchema>;

type InputOf<Node> = Node extends { readonly anyOf: readonly (infer One)[] }
  ? InputOf<One>
  : Node extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Node extends { readonly type: 'boolean' }
      ? boolean
      : Node extends { readonly type: 'integer' }
        ? number
        : Node extends { readonly type: 'string' }
          ? string | { readonly file: string }
          : Node extends { readonly type: 'array'; readonly items: infer Item }
            ? readonly InputOf<Item>[]
            : Node extends { readonly type: 'object'; readonly properties: infer Members }
              ? { readonly [Name in keyof Members]?: InputOf<Members[Name]> | undefined }
              : Node extends { readonly type: 'object'; readonly additionalProperties: infer Member }
                ? { readonly [name: string]: Member extends true ? unknown : InputOf<Member> }
                : never;
