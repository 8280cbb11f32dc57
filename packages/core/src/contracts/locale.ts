/** The languages that system texts exist in. */
export type Locale = 'zh' | 'en';
