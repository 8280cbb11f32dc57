import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError, UpstreamError } from 'baigong';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchWeather } from './fetch-weather.ts';

/** What wttr.in answers, without its forecast. */
const REPORT = {
  current_condition: [
    {
      FeelsLikeC: '-3',
      FeelsLikeF: '27',
      cloudcover: '25',
      humidity: '42',
      localObsDateTime: '2026-03-14 03:10 PM',
      observation_time: '07:10 AM',
      precipMM: '0.0',
      pressure: '1021',
      temp_C: '2',
      temp_F: '36',
      uvIndex: '3',
      visibility: '10',
      weatherCode: '116',
      weatherDesc: [{ value: 'Partly cloudy ' }],
      weatherIconUrl: [{ value: '' }],
      winddir16Point: 'NNW',
      winddirDegree: '340',
      windspeedKmph: '19',
      windspeedMiles: '12',
    },
  ],
  nearest_area: [{ areaName: [{ value: 'Beijing' }], country: [{ value: 'China' }], region: [{ value: 'Beijing' }] }],
  request: [{ query: 'Lat 39.93 and Lon 116.40', type: 'LatLon' }],
  weather: [],
};

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answering(body: unknown, status = 200): Promise<string> {
  return serve((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const { signal } = new AbortController();

function weatherOf(city: string, baseUrl: string, locale: 'en' | 'zh' = 'en') {
  return fetchWeather({ city, baseUrl, locale, signal });
}

async function refusalOf(answer: Promise<unknown>): Promise<InputError | UpstreamError> {
  const error: unknown = await answer.then(
    () => new Error('not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof InputError || error instanceof UpstreamError) return error;
  throw error;
}

/** The report with some of its current condition changed. */
function reporting(changes: Readonly<Record<string, unknown>>) {
  return { ...REPORT, current_condition: [{ ...REPORT.current_condition[0], ...changes }] };
}

describe('fetchWeather', () => {
  it('reads a report of wttr.in', async () => {
    expect(await weatherOf('北京', await answering(REPORT))).toEqual({
      city: '北京',
      temperatureC: 2,
      feelsLikeC: -3,
      condition: 'Partly cloudy',
      windKmph: 19,
      humidity: 42,
      observedAt: '2026-03-14T15:10',
    });
  });

  it.each([
    ['2026-03-14 12:05 AM', '2026-03-14T00:05'],
    ['2026-03-14 12:05 PM', '2026-03-14T12:05'],
    ['2026-03-14 11:59 PM', '2026-03-14T23:59'],
    ['yesterday', null],
    [undefined, null],
  ])('reads the time %s as %s', async (localObsDateTime, observedAt) => {
    const report = await weatherOf('Oslo', await answering(reporting({ localObsDateTime })));
    expect(report.observedAt).toBe(observedAt);
  });

  it('asks for the city in the path, encoded, and for the format j1', async () => {
    const urls: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      urls.push(request.url);
      response.end(JSON.stringify(REPORT));
    });
    await weatherOf(' 北京 ', `${baseUrl}/`);
    await weatherOf("St. John's, Canada", `${baseUrl}/weather`);
    expect(urls).toEqual(['/%E5%8C%97%E4%BA%AC?format=j1', "/weather/St.%20John's%2C%20Canada?format=j1"]);
  });

  it('refuses what is no city name without asking the service', async () => {
    let requests = 0;
    const baseUrl = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const refusal = await refusalOf(weatherOf('../admin', baseUrl));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal.message).toBe('"../admin" is not the name of a city.');
    expect(requests).toBe(0);
  });

  it('takes a 404 for an unknown city, even with a report of another place in it', async () => {
    const refusal = await refusalOf(weatherOf('Qwertzuiop', await answering(REPORT, 404), 'zh'));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal.message).toBe('天气服务中没有名为“Qwertzuiop”的城市。');
  });

  it.each([429, 500, 503])('says that the service fails at status %d', async (status) => {
    const refusal = await refusalOf(weatherOf('Oslo', await answering(REPORT, status)));
    expect(refusal).toBeInstanceOf(UpstreamError);
    expect(refusal.message).toContain(`HTTP status ${status}`);
    expect(refusal.retryable).toBe(true);
  });

  it.each<[string, unknown]>([
    ['what wttr.in says when it is overloaded', 'Unknown location; please try ~39.93,116.40'],
    ['a page', '<html><body>Sorry</body></html>'],
    ['nothing', ''],
    ['half a report', JSON.stringify(REPORT).slice(0, 200)],
    ['another JSON value', null],
    ['a report without a current condition', { ...REPORT, current_condition: [] }],
    ['a report with a word for a figure', reporting({ temp_C: 'warm' })],
    ['a report with an endless figure', reporting({ humidity: '9'.repeat(400) })],
    ['a report without wind', reporting({ windspeedKmph: undefined })],
    ['a report with a novel for a condition', reporting({ weatherDesc: [{ value: 'x'.repeat(5_000) }] })],
    ['a report with members of the prototype', { current_condition: 'constructor' }],
  ])('does not believe %s', async (_, body) => {
    const refusal = await refusalOf(weatherOf('Oslo', await answering(body)));
    expect(refusal).toBeInstanceOf(UpstreamError);
    expect(refusal.message).toBe('The weather service sent an answer that is not a weather report.');
  });

  it('stops reading an answer that does not end', async () => {
    let stopped: Promise<unknown> | undefined;
    const baseUrl = await serve((_, response) => {
      stopped = once(response, 'close');
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    const refusal = await refusalOf(weatherOf('Oslo', baseUrl));
    expect(refusal).toBeInstanceOf(UpstreamError);
    expect(refusal.message).toBe('The weather service sent an answer of more than 1 MB.');
    await stopped;
  });

  it('does not follow the service elsewhere', async () => {
    const elsewhere = await answering(REPORT);
    const baseUrl = await serve((_, response) => {
      response.writeHead(302, { location: elsewhere }).end();
    });
    expect(await refusalOf(weatherOf('Oslo', baseUrl))).toBeInstanceOf(UpstreamError);
  });

  it('says that nobody answers when the connection is refused', async () => {
    const baseUrl = await answering(REPORT);
    const [server] = servers.splice(0);
    server?.close();
    if (server !== undefined) await once(server, 'close');
    const refusal = await refusalOf(weatherOf('Oslo', baseUrl, 'zh'));
    expect(refusal).toBeInstanceOf(UpstreamError);
    expect(refusal.message).toBe('无法连接天气服务。');
    expect(refusal.hint).toContain('稍后再试');
  });

  it.each<[string, RequestListener]>([
    ['before the answer', (request) => request.socket.destroy()],
    [
      'within the answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"current', () => response.destroy());
      },
    ],
  ])('says that nobody answers when the connection breaks %s', async (_, listener) => {
    const refusal = await refusalOf(weatherOf('Oslo', await serve(listener)));
    expect(refusal).toBeInstanceOf(UpstreamError);
    expect(refusal.message).toBe('The weather service cannot be reached.');
  });

  it.each<[string, RequestListener]>([
    ['for an answer', () => undefined],
    ['for the rest of an answer', (_, response) => void response.write('{"current_condition":')],
  ])('ends when its signal does while it waits %s', async (_, listener) => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    const baseUrl = await serve((request, response) => {
      listener(request, response);
      // What was written arrives before the abort, in the order in which it was done.
      setImmediate(() => controller.abort(reason));
    });
    const request = fetchWeather({ city: 'Oslo', baseUrl, locale: 'en', signal: controller.signal });
    await expect(request).rejects.toBe(reason);
  });
});
