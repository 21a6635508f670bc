// How a record of dns-persist-01 names an account without publishing its URL (draft-ietf-acme-dns-persist-02 §4.1): by
// a digest over the domain, a key of the account, and its URL. Pure.
import { createHash } from 'node:crypto';
import type { AccountFacts } from '../model/account-addresses.ts';

/** The one algorithm that is accepted, by its name among named information hashes (RFC 6920 §9.4). */
const HASH_ALGORITHM = 'sha-256';
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
/** In place of the domain, for records that are good for several domains. */
const ANY_DOMAIN = '*';

/** `H(length_of_domain || domain_name || key || account_URL)`, in base64url. */
export const accountDigest = (facts: { domain: string; thumbprint: string; accountUrl: string }): string =>
  createHash('sha256')
    .update(Uint8Array.of(facts.domain.length))
    .update(`${facts.domain}${facts.thumbprint}${facts.accountUrl}`, 'latin1')
    .digest('base64url');

type AccountMatch = 'this' | 'another' | 'malformed';

/**
 * Tells whom an `accounturi` names, for records of a domain. The URL of the account itself is accepted as well: the
 * versions of the draft before -02 had it so, and most clients write such records.
 */
export function accountMatcher(domain: string, account: AccountFacts): (accountUri: string) => AccountMatch {
  // Once for all records: an account may have had many keys, and a zone may have many records.
  let known: ReadonlySet<string> | undefined;
  return (accountUri) => {
    if (account.accountUrls.includes(accountUri)) return 'this';
    const prefix = account.accountHashPrefixes.find((each) => accountUri.startsWith(each));
    if (prefix === undefined) return 'another';
    const [algorithm, digest = '', ...rest] = accountUri.slice(prefix.length).split('/');
    if (algorithm !== HASH_ALGORITHM || rest.length > 0 || !DIGEST.test(digest)) return 'malformed';
    known ??= digestsOf(domain, account);
    return known.has(digest) ? 'this' : 'another';
  };
}

const digestsOf = (domain: string, { accountUrls, keyThumbprints }: AccountFacts): ReadonlySet<string> =>
  new Set(
    [domain, ANY_DOMAIN].flatMap((each) =>
      keyThumbprints.flatMap((thumbprint) =>
        accountUrls.map((accountUrl) => accountDigest({ domain: each, thumbprint, accountUrl })),
      ),
    ),
  );
