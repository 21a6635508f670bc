// Names and messages come from certificates and third parties; they must not send control sequences to the terminal.

/** Control characters, line separators, and bidirectional controls. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Replaces every control character with a visible one. */
export const printable = (text: string): string => text.replaceAll(STEERING, '\uFFFD');

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of terminal columns that a text occupies, precisely enough to align tables. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
