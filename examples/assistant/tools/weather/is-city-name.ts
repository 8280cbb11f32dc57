/** Characters of the longest city name that is accepted. */
export const MAX_CITY_LENGTH = 80;

/** Letters first; a dot only as in `St. Louis` or `D.C.`, so that no host name and no file name passes. */
const CITY = /^\p{L}(?:[\p{L}\p{M}\p{N} ,'’()·-]|\.(?!\p{L}{2}|\.))*$/u;

/** What wttr.in takes for something else than a city: the moon, and the place that the request comes from. */
const NOT_CITIES: ReadonlySet<string> = new Set(['moon', 'mylocation']);

/**
 * Is this the name of a place and nothing that the service reads otherwise: a path, a host (`@…`), a search (`~…`), an
 * option (`:help`), a picture (`….png`), an address of a machine?
 */
export function isCityName(text: string): boolean {
  return text.length <= MAX_CITY_LENGTH && CITY.test(text) && !NOT_CITIES.has(text.toLowerCase());
}
