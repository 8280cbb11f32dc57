/** The weather of a city at one moment. */
export interface WeatherReport {
  readonly city: string;
  readonly temperatureC: number;
  readonly feelsLikeC: number;
  readonly condition: string;
  readonly windKmph: number;
  /** Percent. */
  readonly humidity: number;
  /** `2026-03-14T15:10`, by the clock of the city; null when the service does not say. */
  readonly observedAt: string | null;
}

/** Real ones are a few words; anything longer is not for the model to read. */
const MAX_CONDITION_LENGTH = 100;

/**
 * Reads an answer in the format `j1` of wttr.in, which writes figures as strings. Undefined where it is not one.
 *
 * @see https://github.com/chubin/wttr.in#json-output
 */
export function readReport(city: string, answer: unknown): WeatherReport | undefined {
  const current = first(member(answer, 'current_condition'));
  const temperatureC = figure(member(current, 'temp_C'));
  const feelsLikeC = figure(member(current, 'FeelsLikeC'));
  const condition = member(first(member(current, 'weatherDesc')), 'value');
  const windKmph = figure(member(current, 'windspeedKmph'));
  const humidity = figure(member(current, 'humidity'));
  const observedAt = moment(member(current, 'localObsDateTime'));
  if (
    temperatureC === undefined ||
    feelsLikeC === undefined ||
    typeof condition !== 'string' ||
    condition.length > MAX_CONDITION_LENGTH ||
    windKmph === undefined ||
    humidity === undefined
  ) {
    return undefined;
  }
  return { city, temperatureC, feelsLikeC, condition: condition.trim(), windKmph, humidity, observedAt };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function figure(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^-?\d{1,4}(?:\.\d{1,4})?$/.test(value) ? Number(value) : undefined;
}

/** From `2026-03-14 03:10 PM`. */
function moment(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const [, date, hour, minute, half] = /^(\d{4}-\d\d-\d\d) (\d\d):(\d\d) (AM|PM)$/.exec(value) ?? [];
  if (date === undefined) return null;
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  return `${date}T${String(hours).padStart(2, '0')}:${minute}`;
}
