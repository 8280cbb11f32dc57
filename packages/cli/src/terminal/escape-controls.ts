/**
 * Makes control, bidirectional and other invisible characters visible as `\u{…}`, but for line breaks and tabs: text
 * of models and tools must not steer the terminal, nor show anything other than what it is.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
