/** A key from the root down: names of members, and numbers of list items. */
export type KeyPath = readonly (string | number)[];
