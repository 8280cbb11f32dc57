/** Texts by key, each in English and Chinese. `{name}` is a gap filled by the value of that name. */
export type Catalogue = Readonly<Record<string, { readonly en: string; readonly zh: string }>>;
