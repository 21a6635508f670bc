// Profile names in URLs, and the URLs at which a protocol is served. A profile has a URL under its own name and, if it
// is activated on an RA profile, also a URL under the RA profile's name. No I/O.
import { MAX_NAME_LENGTH } from '@signetry/contract';
import { profileOf, type ProtocolFacts } from './protocol.ts';

/** Kind of name under which a profile is served. */
export type ProfileFamily = 'profile' | 'raProfile';

/** Where a protocol is served. `name` is the name of the profile or RA profile; it can be any path segment. */
export interface ServedEndpoint {
  readonly family: ProfileFamily;
  readonly name: string;
}

/** Prefix of RA profile URLs. Profiles cannot have this name. */
export const RESERVED_NAME = 'raProfile';

/** Unreserved characters (RFC 3986 §2.3). */
const NAME = /^[A-Za-z0-9._~-]+$/;

/** Returns whether a profile can be served under the name. */
export const isNameInUrls = (name: string): boolean => NAME.test(name);

export function problemsOfName(protocol: ProtocolFacts, name: string): string[] {
  if (name === RESERVED_NAME)
    return [`The name ${RESERVED_NAME} is reserved: RA profile URLs start with it. Choose a different one.`];
  // Clients remove "." and ".." from paths (RFC 3986 §5.2.4).
  if (isNameInUrls(name) && name.length <= MAX_NAME_LENGTH && name !== '.' && name !== '..') return [];
  // Abbreviations that are pronounced with an initial vowel take "an".
  const article = /^[AEIOS]/.test(protocol.name) ? 'an' : 'a';
  const what = `The name of ${article} ${profileOf(protocol)}`;
  return [
    `${what} appears in URLs: use only letters, digits, "-", ".", "_" and "~", at most ${MAX_NAME_LENGTH} characters.`,
  ];
}

export function protocolUrl(
  origin: string,
  { protocol, family, name }: ServedEndpoint & { readonly protocol: ProtocolFacts },
): string {
  const below = family === 'profile' ? '' : `${RESERVED_NAME}/`;
  return `${origin}/api/v1/protocols/${protocol.word}/${below}${encodeURIComponent(name)}`;
}
