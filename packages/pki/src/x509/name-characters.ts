// Characters that a certificate's names must not have: invisible ones that make a name look like another one or break
// log lines. Foreign certificates with them are still read; issued certificates must not have any.
import { hiddenCharacter } from '../hidden-characters.ts';
import type { Name } from '../names.ts';
import { formatGeneralName, type GeneralName } from './general-names.ts';

export const hiddenCharacterOfName = (name: Name): string | undefined =>
  hiddenCharacter(name.rdns.flatMap((rdn) => rdn.map(({ value }) => value)).join(' '));

/** Searches inside directory names: their text form escapes such characters. */
export const hiddenCharacterOfGeneralName = (name: GeneralName): string | undefined =>
  name.kind === 'directoryName' ? hiddenCharacterOfName(name.name) : hiddenCharacter(formatGeneralName(name));
