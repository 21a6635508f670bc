// Random strings that users pass to clients, mostly on command lines.
import { randomToken } from '../../../kernel/ids.ts';

/** Returns Base64url text without a leading hyphen, which clients would mistake for a flag. */
export function randomKeyText(bytes: number): string {
  for (;;) {
    const text = randomToken(bytes);
    if (!text.startsWith('-')) return text;
  }
}
