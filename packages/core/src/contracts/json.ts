/** Any JSON value as plain data. Numbers are finite; integers among them are safe (at most 2^53 − 1 in size). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object as plain data. */
export type JsonObject = { readonly [key: string]: Json };
