import type { Locale } from '../contracts/locale.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';

/** Why running code does not get what it asked the host for, in words that it may see. */
export class AskRefused extends Error {
  override readonly name = 'AskRefused';

  constructor(reason: MessageKey, locale: Locale) {
    super(renderText(reason, locale));
  }
}
