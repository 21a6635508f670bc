// Random strings that users pass to clients, mostly on command lines.
import { randomToken } from '../../../kernel/ids.ts';

/** Returns Base64url text that does not begin with a hyphen, because clients would mistake it for a flag. */
export function randomKeyText(bytes: number): string {
  for (;;) {
    const text = randomToken(bytes);
    if (!text.startsWith('-')) return text;
  }
}
