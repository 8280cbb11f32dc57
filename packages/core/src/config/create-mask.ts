/** What stands in place of a secret. */
export const MASKED = '••••';

/** Shorter texts occur everywhere: masking them would make everything unreadable and hide nothing. */
const SHORTEST = 8;

/**
 * A function that masks secrets wherever they occur in a text: those of eight characters or more. Where one secret
 * holds another, the longer one goes first.
 *
 * @example
 * createMask(new Set(['sk-12345678']))('Bearer sk-12345678') // 'Bearer ••••'
 */
export function createMask(secretTexts: ReadonlySet<string>): (text: string) => string {
  const secrets = [...secretTexts].filter((one) => one.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => {
    const hidden = new Uint8Array(text.length);
    for (const secret of secrets) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        hidden.fill(1, at, at + secret.length);
      }
    }
    let masked = '';
    for (let index = 0; index < text.length; index++) {
      if (hidden[index] !== 1) masked += text[index];
      else if (hidden[index - 1] !== 1) masked += MASKED;
    }
    return masked;
  };
}
