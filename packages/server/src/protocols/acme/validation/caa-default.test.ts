import type { AcmeAdditionalChallenge } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isOwnDomain, offersOf } from './caa-default.ts';

describe("the authority's own domain", () => {
  it('contains the name of the authority', () => {
    const domains = ['example.com', 'pki.example.com', 'com', 'ample.com', 'www.example.com', 'example.org'];
    expect(domains.filter((domain) => isOwnDomain(domain, ['pki.example.com']))).toEqual([
      'example.com',
      'pki.example.com',
      'com',
    ]);
  });
});

describe('the additional challenges offered by a profile', () => {
  const both: AcmeAdditionalChallenge[] = ['dns-account-01', 'dns-persist-01'];
  const by = (identity?: string) => ({ defaultCaaIdentity: () => identity });

  it('include at most ten issuer names from its CAA records (draft-ietf-acme-dns-persist-02 §3.1)', () => {
    const many = Array.from({ length: 12 }, (_, at) => `ca${at}.example`);
    const profile = { additionalChallenges: both, caaIdentities: many };
    expect(offersOf(profile, by())).toEqual({ additionalChallenges: both, issuerDomainNames: many.slice(0, 10) });
    const unsaid = { additionalChallenges: both, caaIdentities: undefined };
    expect(offersOf(unsaid, by('pki.example.com')).issuerDomainNames).toEqual(['pki.example.com']);
    expect(offersOf({ ...profile, additionalChallenges: [] }, by()).issuerDomainNames).toEqual([]);
  });

  it('exclude dns-persist-01 if no issuer remains', () => {
    const profile = { additionalChallenges: both, caaIdentities: undefined };
    expect(offersOf(profile, by())).toEqual({ additionalChallenges: ['dns-account-01'], issuerDomainNames: [] });
  });
});
