import type { Locale } from 'baigong';

/** The language that the environment asks for, by POSIX precedence; English when it asks for one that we lack. */
export function detectLocale(environment: Readonly<Record<string, string | undefined>>): Locale {
  const wanted = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return wanted.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
