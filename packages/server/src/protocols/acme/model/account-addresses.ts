// Under which addresses an account is known to records in the DNS. An account belongs to one directory, but the
// directory may be reached under more than one origin: the one that the client uses, and the one that the platform
// tells. The URLs of both name the account.
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ServedPlace } from '../../../areas/protocol-profiles/index.ts';
import { acmeUrls } from './urls.ts';

/** Those of the client's own origin first. */
export interface AccountAddresses {
  readonly accountUrls: readonly string[];
  /** What hashed URIs of accounts begin with. */
  readonly accountHashPrefixes: readonly string[];
}

/** What records in the DNS may name an account by. */
export interface AccountFacts extends AccountAddresses {
  /** SHA-256 JWK thumbprints (RFC 7638) of the key of the account and of those that it had, the youngest first. */
  readonly keyThumbprints: readonly string[];
}

type Served = Pick<ServedAcmeProfile, 'family' | 'name' | 'raProfile'>;

export type AddressesOf = (account: {
  readonly accountId: string;
  readonly profile: Served;
  /** Scheme and authority as the client knows them, if that is known. */
  readonly origin: string | undefined;
}) => AccountAddresses;

export const createAddressesOf =
  (directoryBase: () => string): AddressesOf =>
  ({ accountId, profile, origin }) => {
    const origins = new Set([...(origin === undefined ? [] : [origin]), directoryBase()]);
    const urls = [...origins].map((each) => acmeUrls(each, placeOf(profile)));
    return {
      accountUrls: urls.map(({ account }) => account(accountId)),
      accountHashPrefixes: urls.map(({ accountHashPrefix }) => accountHashPrefix),
    };
  };

/** Where the directory lies that the profile is served at. */
const placeOf = ({ family, name, raProfile }: Served): ServedPlace =>
  family === 'raProfile' ? { family, name: raProfile?.name ?? name } : { family, name };
