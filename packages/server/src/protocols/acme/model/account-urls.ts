// URLs by which DNS records can refer to an account. An account belongs to one directory, but that directory may be
// reachable under multiple origins: the one that the client uses, and the platform's public origin. Both resulting URLs
// identify the account.
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ServedEndpoint } from '../../../areas/protocol-profiles/index.ts';
import { acmeUrls } from './urls.ts';

/** Account URLs, with those under the client's own origin first. */
export interface AccountUrls {
  readonly accountUrls: readonly string[];
  /** Prefixes of hashed account URIs. */
  readonly accountHashPrefixes: readonly string[];
}

/** Data by which DNS records can identify an account. */
export interface AccountFacts extends AccountUrls {
  /** SHA-256 JWK thumbprints (RFC 7638) of the account's current and former keys, newest first. */
  readonly keyThumbprints: readonly string[];
}

type Served = Pick<ServedAcmeProfile, 'family' | 'name' | 'raProfile'>;

export type AccountUrlsOf = (account: {
  readonly accountId: string;
  readonly profile: Served;
  /** Scheme and authority that the client uses, if known. */
  readonly origin: string | undefined;
}) => AccountUrls;

export const createAccountUrlsOf =
  (directoryBase: () => string): AccountUrlsOf =>
  ({ accountId, profile, origin }) => {
    const origins = new Set([...(origin === undefined ? [] : [origin]), directoryBase()]);
    const urls = [...origins].map((each) => acmeUrls(each, directoryEndpointOf(profile)));
    return {
      accountUrls: urls.map(({ account }) => account(accountId)),
      accountHashPrefixes: urls.map(({ accountHashPrefix }) => accountHashPrefix),
    };
  };

/** Returns the place at which the profile's directory is served. */
const directoryEndpointOf = ({ family, name, raProfile }: Served): ServedEndpoint =>
  family === 'raProfile' ? { family, name: raProfile?.name ?? name } : { family, name };
