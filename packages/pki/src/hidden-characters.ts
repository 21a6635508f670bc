// Characters that are invisible or make text look like different text. This is a separate package entry point, because
// every console page displays names.

/**
 * C0 and C1 controls (including NUL, TAB, CR, LF and DEL), line and paragraph separators, and bidirectional controls
 * (Unicode Standard Annex 9: marks, embeddings, overrides and isolates). U+FFFD represents NUL in parsed names.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this expression is for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');

const REPLACEMENT = 0xfffd;

/** Returns the first such character in the form `U+202E`, or undefined if there is none. */
export function hiddenCharacter(text: string): string | undefined {
  const [character] = HIDDEN.exec(text) ?? [];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0);
  return code === REPLACEMENT ? 'U+0000 or U+FFFD' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Replaces each of these characters with U+FFFD, so that the text stays on one line and is displayed in its logical
 * order.
 */
export const visibleText = (text: string): string => text.replaceAll(EVERY_HIDDEN, '\uFFFD');
