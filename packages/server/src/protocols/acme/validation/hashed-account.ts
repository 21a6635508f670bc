// Account hashes, which dns-persist-01 records use to identify an account without disclosing its URL
// (draft-ietf-acme-dns-persist-02 §4.1). A hash is a digest of the domain, an account key, and the account URL. Pure.
import { createHash } from 'node:crypto';
import type { AccountFacts } from '../model/account-urls.ts';

/** The only accepted algorithm, by its name in the Named Information Hash Algorithm registry (RFC 6920 §9.4). */
const HASH_ALGORITHM = 'sha-256';
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
/** Replaces the domain in the hash if a record applies to multiple domains. */
const ANY_DOMAIN = '*';

/** Returns `H(length_of_domain || domain_name || key || account_URL)` in base64url. */
export const accountDigest = (facts: { domain: string; thumbprint: string; accountUrl: string }): string =>
  createHash('sha256')
    .update(Uint8Array.of(facts.domain.length))
    .update(`${facts.domain}${facts.thumbprint}${facts.accountUrl}`, 'latin1')
    .digest('base64url');

type AccountMatch = 'this' | 'another' | 'malformed';

/**
 * Returns a function that determines which account an `accounturi` in a domain's records identifies. The account URL
 * itself is also accepted: draft versions before -02 used it, and most clients still write such records.
 */
export function accountMatcher(domain: string, account: AccountFacts): (accountUri: string) => AccountMatch {
  // Computed once for all records: an account may have had many keys, and a zone may have many records.
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
