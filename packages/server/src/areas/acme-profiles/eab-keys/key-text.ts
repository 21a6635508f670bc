// Random texts that people hand to clients, mostly on command lines.
import { randomToken } from '../../../kernel/ids.ts';

/** Base64url without a hyphen in front, which clients would take for the beginning of a flag. */
export function randomKeyText(bytes: number): string {
  for (;;) {
    const text = randomToken(bytes);
    if (!text.startsWith('-')) return text;
  }
}
