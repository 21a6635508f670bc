import type { AcmeAdditionalChallenge } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isOwnDomain, offersOf } from './caa-default.ts';

describe('a domain is that of the authority', () => {
  it('when the authority is named within it', () => {
    const domains = ['example.com', 'pki.example.com', 'com', 'ample.com', 'www.example.com', 'example.org'];
    expect(domains.filter((domain) => isOwnDomain(domain, ['pki.example.com']))).toEqual([
      'example.com',
      'pki.example.com',
      'com',
    ]);
  });
});

describe('the challenges that a profile offers beside the usual ones', () => {
  const both: AcmeAdditionalChallenge[] = ['dns-account-01', 'dns-persist-01'];
  const by = (identity?: string) => ({ defaultCaaIdentity: () => identity });

  it('come with the issuers of its CAA records, ten at most (draft-ietf-acme-dns-persist-02 §3.1)', () => {
    const many = Array.from({ length: 12 }, (_, at) => `ca${at}.example`);
    const profile = { additionalChallenges: both, caaIdentities: many };
    expect(offersOf(profile, by())).toEqual({ additionalChallenges: both, issuerDomainNames: many.slice(0, 10) });
    const unsaid = { additionalChallenges: both, caaIdentities: undefined };
    expect(offersOf(unsaid, by('pki.example.com')).issuerDomainNames).toEqual(['pki.example.com']);
    expect(offersOf({ ...profile, additionalChallenges: [] }, by()).issuerDomainNames).toEqual([]);
  });

  it('are without dns-persist-01 where no issuer is left', () => {
    const profile = { additionalChallenges: both, caaIdentities: undefined };
    expect(offersOf(profile, by())).toEqual({ additionalChallenges: ['dns-account-01'], issuerDomainNames: [] });
  });
});
