/**
 * The type of each platform's client, by the name that stands in a tool's `platforms`. Adapters add theirs; a tool for
 * exactly one platform then has it as `context.$client`.
 *
 * @example
 * declare module 'baigong' {
 *   interface AdapterClients { icqq: Client }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: adapters add members, which only an interface allows.
export interface AdapterClients {}

/** The client of a tool with these `platforms`: typed for exactly one platform that an adapter knows, else `unknown`. */
export type ClientOf<Platforms> = Platforms extends readonly [infer Only]
  ? Only extends keyof AdapterClients
    ? AdapterClients[Only]
    : unknown
  : unknown;
