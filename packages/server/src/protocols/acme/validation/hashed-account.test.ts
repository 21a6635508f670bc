import { describe, expect, it } from 'vitest';
import { accountDigest, accountMatcher } from './hashed-account.ts';

/** draft-ietf-acme-dns-persist-02 §10.2. */
const thumbprint = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';
const accountUrl = 'https://ca.example/acct/123';
const PREFIX = 'https://ca.example/account-hash/';
const FOR_DOMAIN = '5SQm7n6tPh2-PlLbCKGnViTXX5z19SCN4cPGQHSk-kw';
const FOR_ANY = 'NpDnSwUthQK8zCgFdefYxAdAVPnygMLbs9US6oO-5ug';

describe("an account's digest", () => {
  it.each([
    ['example.com', FOR_DOMAIN],
    ['*', FOR_ANY],
  ])('for %s matches the draft (draft-ietf-acme-dns-persist-02 §10.2)', (domain, digest) => {
    expect(accountDigest({ domain, thumbprint, accountUrl })).toBe(digest);
  });
});

describe('an accounturi', () => {
  const match = (accountUri: string, domain = 'example.com', keyThumbprints = ['current', thumbprint]) =>
    accountMatcher(domain, { accountUrls: [accountUrl], accountHashPrefixes: [PREFIX], keyThumbprints })(accountUri);

  it.each([
    ['its digest for the domain', `${PREFIX}sha-256/${FOR_DOMAIN}`],
    ['its digest for any domain', `${PREFIX}sha-256/${FOR_ANY}`],
    ['its URL', accountUrl],
  ])('identifies the account by %s', (_what, uri) => expect(match(uri)).toBe('this'));

  it.each([
    ['its digest for another domain', `${PREFIX}sha-256/${FOR_DOMAIN}`, 'www.example.com'],
    ['another URL', 'https://ca.example/acct/1234'],
    ['its URL in other letters', 'https://CA.example/acct/123'],
    ['a prefix of others', `https://other.example/account-hash/sha-256/${FOR_DOMAIN}`],
    ['nothing', ''],
  ])('does not identify the account by %s', (_what, uri, domain?: string) =>
    expect(match(uri, domain)).toBe('another'),
  );

  it('does not identify the account by a key that the account never had', () => {
    expect(match(`${PREFIX}sha-256/${FOR_DOMAIN}`, 'example.com', ['current'])).toBe('another');
    expect(match(`${PREFIX}sha-256/${FOR_DOMAIN}`, 'example.com', [])).toBe('another');
  });

  it.each([
    `${PREFIX}sha-512/${FOR_DOMAIN}`,
    `${PREFIX}SHA-256/${FOR_DOMAIN}`,
    `${PREFIX}sha-256/${FOR_DOMAIN}=`,
    `${PREFIX}sha-256/${FOR_DOMAIN.slice(1)}`,
    `${PREFIX}sha-256/${FOR_DOMAIN}/more`,
    `${PREFIX}sha-256`,
    PREFIX,
  ])('is malformed if it is %s', (uri) => expect(match(uri)).toBe('malformed'));
});
