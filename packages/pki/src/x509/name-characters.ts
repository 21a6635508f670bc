// Characters that a certificate's names must not have: invisible ones that make a name look like another one or break
// log lines. Foreign certificates with them are still read; issued certificates must not have any.
import type { Name } from '../names.ts';
import { formatGeneralName, type GeneralName } from './general-names.ts';

/**
 * C0 and C1 controls including NUL, TAB, CR, LF and DEL, line and paragraph separators, and bidirectional controls
 * (Unicode Standard Annex 9: the marks, embeddings, overrides and isolates). U+FFFD stands for NUL in parsed names.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this expression is for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

const REPLACEMENT = 0xfffd;

/** The first such character as `U+202E`; undefined when there is none. */
export function hiddenCharacter(text: string): string | undefined {
  const [character] = HIDDEN.exec(text) ?? [];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0);
  return code === REPLACEMENT ? 'U+0000 or U+FFFD' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

export const hiddenCharacterOfName = (name: Name): string | undefined =>
  hiddenCharacter(name.rdns.flatMap((rdn) => rdn.map(({ value }) => value)).join(' '));

/** Searches inside directory names: their text form escapes such characters. */
export const hiddenCharacterOfGeneralName = (name: GeneralName): string | undefined =>
  name.kind === 'directoryName' ? hiddenCharacterOfName(name.name) : hiddenCharacter(formatGeneralName(name));
