import type { Json } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { RawLayer } from './layer.ts';
import { nest } from './nest.ts';
import { parseSettingText } from './parse-setting-text.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { schemaKeys } from './schema-keys.ts';

const PREFIX = 'BAIGONG_';

/** Variables of that prefix that set no key on purpose: of tests, and what processes inside a call are marked with. */
const OTHERS = /^BAIGONG_(TEST_|CALL$|FAILPOINT$)/;

/**
 * What variables say, one layer each, the one that counts least first; and warnings about variables that look like ours
 * and are not. Where a key has two variables, the documented one counts.
 */
export function environmentLayers(
  { environment, fromFile }: ReadEnvironment,
  folder: string | undefined,
): { readonly raw: readonly RawLayer[]; readonly problems: readonly Problem[] } {
  const set = new Map(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const keys = schemaKeys();
  const raw = keys.flatMap(({ path, node, variables }) =>
    variables.toReversed().flatMap((variable): readonly RawLayer[] => {
      const said = set.get(variable);
      if (said === undefined) return [];
      const value: Json = parseSettingText(said, node);
      const name = fromFile.has(variable) ? `${variable} (.env)` : variable;
      return [{ level: 'environment', name, value: nest(path, value), folder, hasReferences: false }];
    }),
  );
  const known = keys.flatMap(({ variables }) => variables);
  const problems = [...set.keys()]
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !OTHERS.test(name))
    .map((name) => unknownVariable(name, known));
  return { raw, problems };
}

function unknownVariable(name: string, known: readonly string[]): Problem {
  const variable = showText(name);
  // Without what all have in common, or any two would be alike.
  const [nearest] = nearestNames(
    name.slice(PREFIX.length),
    known.map((one) => one.slice(PREFIX.length)),
    1,
  );
  return {
    code: 'UNKNOWN_VARIABLE',
    file: variable,
    field: variable,
    ...(nearest === undefined ? {} : { expected: `${PREFIX}${nearest}` }),
    message: text('config.unknown-variable', { variable }),
    hint:
      nearest === undefined
        ? text('config.unknown-variable-hint')
        : text('config.did-you-mean', { names: `${PREFIX}${nearest}` }),
    fatal: false,
  };
}
