// Invisible characters that certificate names must not contain because they make a name look like a different name or
// break log lines. Third-party certificates that contain them can still be read; issued certificates must not contain
// any.
import { hiddenCharacter } from '../hidden-characters.ts';
import type { Name } from '../names.ts';
import { formatGeneralName, type GeneralName } from './general-names.ts';

export const hiddenCharacterOfName = (name: Name): string | undefined =>
  hiddenCharacter(name.rdns.flatMap((rdn) => rdn.map(({ value }) => value)).join(' '));

/**
 * Returns the first hidden character in a general name, including inside directory names, whose text form escapes such
 * characters.
 */
export const hiddenCharacterOfGeneralName = (name: GeneralName): string | undefined =>
  name.kind === 'directoryName' ? hiddenCharacterOfName(name.name) : hiddenCharacter(formatGeneralName(name));
