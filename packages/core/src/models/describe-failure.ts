/** What is known of a failed request, free of the key. */
export interface Failure {
  readonly kind:
    | 'abort'
    | 'time-out'
    | 'network'
    /** The package cannot say this to its service. */
    | 'unsupported'
    /** The service said something. */
    | 'service'
    | 'other';
  /** HTTP status. */
  readonly status: number | undefined;
  /** For people: `HTTP 429`, or what the service calls the error. */
  readonly shownStatus: string;
  readonly host: string | undefined;
  /** One line for people, at most 300 characters. */
  readonly message: string;
  /** Everything that the service said, to be searched. */
  readonly words: string;
  /** For the record. */
  readonly cause: Error;
}

const SHOWN_MESSAGE = 300;
const KEPT_BODY = 4_000;
const NETWORK_CODE =
  /^(E(CONN\w+|NOTFOUND|AI_AGAIN|HOST\w+|NET\w+|TIMEDOUT|PIPE|PROTO|ADDR\w+)|UND_ERR_\w+|ERR_(TLS|SSL)_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|HPE_\w+)$/;
const TIME_OUT_CODE = /^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/;

type Fields = Readonly<Record<string, unknown>>;

/** Reads what provider packages and `fetch` say about a failure. Never throws. */
export function describeFailure(error: unknown, hide: (text: string) => string): Failure {
  const fields: Fields = typeof error === 'object' && error !== null ? (error as Fields) : { message: error };
  const name = stringOf(fields.name);
  const status = numberOf(fields.statusCode) ?? numberOf(fields.status);
  // Hidden before it is cut: half a key would not be recognised.
  const body = hide(unescaped(hide(stringOf(fields.responseBody)))).slice(0, KEPT_BODY);
  const said = hide(stringOf(fields.message)).slice(0, KEPT_BODY);
  const codes = codesOf(fields);
  const url = URL.parse(stringOf(fields.url));
  const label = [fields.code, fields.type].find((value) => typeof value === 'string' && value !== '');
  const words = hide([said, body, ...codes, label ?? ''].join(' '));
  return {
    kind: kindOf(error, name, said, codes),
    status,
    shownStatus: status === undefined ? hide(String(label ?? '?')) : `HTTP ${status}`,
    host: url?.host,
    message: oneLine(hide(messageIn(body) ?? said)),
    words,
    cause: causeOf(error, { name, said, body, status, url, codes, hide }),
  };
}

/** JSON escapes of plain characters undone: a key that a service repeats may be spelled `sk\/…` or `\u0073k…`. */
function unescaped(body: string): string {
  return body
    .replace(/\\u00([2-7][0-9a-fA-F])/g, (whole, code: string) => {
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return character === '"' || character === '\\' ? whole : character;
    })
    .replaceAll('\\/', '/');
}

function kindOf(error: unknown, name: string, said: string, codes: readonly string[]): Failure['kind'] {
  if (name === 'TimeoutError' || codes.some((code) => TIME_OUT_CODE.test(code))) return 'time-out';
  if (name === 'AbortError' || name === 'ResponseAborted') return 'abort';
  if (codes.some((code) => NETWORK_CODE.test(code)) || /^(cannot connect to api|fetch failed|terminated)/i.test(said)) {
    return 'network';
  }
  if (/^AI_(Unsupported|InvalidPrompt|InvalidArgument|NoSuchModel|LoadAPIKey)/.test(name)) return 'unsupported';
  // Errors within a stream are plain objects or texts, not instances of anything.
  return error instanceof Error ? 'other' : 'service';
}

/** The `code` of an error and of its causes. */
function codesOf(fields: Fields): string[] {
  const codes: string[] = [];
  let current: unknown = fields;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as Fields;
    if (typeof code === 'string') codes.push(code);
    current = cause;
  }
  return codes;
}

/** Services put their sentence in one of these places. */
function messageIn(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { error, message, detail } = parsed as Fields;
  const inner = typeof error === 'object' && error !== null ? (error as Fields).message : error;
  return [inner, message, detail].find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

function causeOf(
  error: unknown,
  known: {
    readonly name: string;
    readonly said: string;
    readonly body: string;
    readonly status: number | undefined;
    readonly url: URL | null;
    readonly codes: readonly string[];
    readonly hide: (text: string) => string;
  },
): Error {
  const { name, said, body, status, url, codes, hide } = known;
  // Made anew: the package's own error holds the whole request, headers included.
  const facts = [
    said,
    ...(codes.length === 0 ? [] : [`code ${codes.join(', ')}`]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(url === null ? [] : [`from ${url.origin}${url.pathname}`]),
    ...(body === '' ? [] : [`body ${body}`]),
  ];
  const cause = new Error(facts.join('; '));
  if (name !== '') cause.name = name;
  const frames = error instanceof Error ? (error.stack ?? '').match(/^ {4}at .*$/gm) : null;
  cause.stack = [`${cause.name}: ${cause.message}`, ...(frames ?? []).map(hide)].join('\n');
  return cause;
}

function oneLine(message: string): string {
  const line = message.slice(0, KEPT_BODY).replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_MESSAGE ? `${line.slice(0, SHOWN_MESSAGE - 1)}…` : line;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
