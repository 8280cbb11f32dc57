import { expect, it } from 'vitest';
import { createMask } from './create-mask.ts';

it.each([
  [['sk-12345678'], 'Bearer sk-12345678!', 'Bearer ••••!'],
  [['12345678'], '12345678 and 12345678', '•••• and ••••'],
  [['ababababab'], 'xababababababy', 'x••••y'],
  [['abcdefgh', 'efghijkl'], '-abcdefghijkl-', '-••••-'],
  [['abcdefgh', 'xabcdefghx'], 'xabcdefghx abcdefgh', '•••• ••••'],
  [['1234567'], 'too short: 1234567', 'too short: 1234567'],
  [[], 'anything', 'anything'],
])('without %j, %s reads %s', (secrets, text, masked) => {
  expect(createMask(new Set(secrets))(text)).toBe(masked);
});
