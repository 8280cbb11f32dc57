import { InputError, type Locale, UpstreamError } from 'baigong';
import { isCityName } from './is-city-name.ts';
import { readBounded } from './read-bounded.ts';
import { readReport, type WeatherReport } from './read-report.ts';
import { texts } from './texts.ts';

export interface WeatherRequest {
  readonly city: string;
  /** Address of a service that speaks as wttr.in does. */
  readonly baseUrl: string;
  readonly locale: Locale;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** A report has about 50 KB. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * Asks the weather service for the weather of a city now.
 *
 * @throws InputError for what is no city name and for a city that the service does not know (404).
 * @throws UpstreamError when the service cannot be reached, fails, or answers with something else than a report.
 * @throws the reason of the signal when it aborts.
 */
export async function fetchWeather({ city, baseUrl, locale, signal }: WeatherRequest): Promise<WeatherReport> {
  const say = texts[locale];
  const name = city.trim();
  if (!isCityName(name)) throw new InputError(say.notACity(name), { hint: say.nameCity });

  const fail = (message: string, cause?: unknown): never => {
    signal.throwIfAborted();
    throw new UpstreamError(message, { hint: say.later, cause });
  };
  const url = `${baseUrl.replace(/\/+$/, '')}/${encodeURIComponent(name)}?format=j1`;
  const unreachable = (cause: unknown): never => fail(say.unreachable, cause);
  // The service has no reason to send us elsewhere, so a redirect is not followed but fails.
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } }).catch(
    unreachable,
  );
  if (!response.ok) {
    // What an error has to say is not read, so it does not matter whether all of it arrives.
    await response.body?.cancel().catch(() => undefined);
    // The body of a 404 may even be a report, on some other place.
    if (response.status === 404) throw new InputError(say.unknownCity(name), { hint: say.checkCity });
    return fail(say.failing(response.status));
  }
  const body = (await readBounded(response, MAX_BODY_BYTES).catch(unreachable)) ?? fail(say.tooLong);
  return readReport(name, parse(body)) ?? fail(say.notUnderstood);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Overloaded, the service says so in plain text with status 200.
    return undefined;
  }
}
