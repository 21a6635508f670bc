// Names of profiles in URLs, and where a protocol is served. The address of a profile is below its own name; an RA
// profile that a profile is activated on has an address below the name of the RA profile. No I/O.
import { MAX_NAME_LENGTH } from '@signetry/contract';
import { profileOf, type ProtocolFacts } from './protocol.ts';

/** Under whose name a profile is served. */
export type ProfileFamily = 'profile' | 'raProfile';

/**
 * A place where a protocol is served; `name`, which may be anything that a path holds, is that of the profile or RA
 * profile.
 */
export interface ServedPlace {
  readonly family: ProfileFamily;
  readonly name: string;
}

/** Begins the addresses of the family of RA profiles, so no profile may be called so. */
export const FAMILY_WORD = 'raProfile';

/** Unreserved characters (RFC 3986 §2.3). */
const NAME = /^[A-Za-z0-9._~-]+$/;

/** Can anything be served under the name at all? */
export const isNameInUrls = (name: string): boolean => NAME.test(name);

export function problemsOfName(protocol: ProtocolFacts, name: string): string[] {
  if (name === FAMILY_WORD)
    return [`The name ${FAMILY_WORD} is reserved: it begins the addresses of RA profiles. Choose another one.`];
  // Clients take "." and ".." out of paths (RFC 3986 §5.2.4).
  if (isNameInUrls(name) && name.length <= MAX_NAME_LENGTH && name !== '.' && name !== '..') return [];
  const article = /^[AEIOS]/.test(protocol.name) ? 'an' : 'a'; // as the abbreviation is spoken
  const what = `The name of ${article} ${profileOf(protocol)}`;
  return [
    `${what} appears in URLs: use letters, digits, "-", ".", "_" and "~" only, at most ${MAX_NAME_LENGTH} of them.`,
  ];
}

export function protocolUrl(
  origin: string,
  { protocol, family, name }: ServedPlace & { readonly protocol: ProtocolFacts },
): string {
  const below = family === 'profile' ? '' : `${FAMILY_WORD}/`;
  return `${origin}/api/v1/protocols/${protocol.word}/${below}${encodeURIComponent(name)}`;
}
