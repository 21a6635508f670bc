import { describe, expect, it } from 'vitest';
import { problemsOfChallenges } from './additional-challenges.ts';
import { acmeSettings } from './settings.ts';

const PUBLIC = 'https://pki.acme-users.org';
const INTERNAL = 'https://localhost:8443';
const persist = { additionalChallenges: ['dns-persist-01' as const] };
const { initial } = acmeSettings;
const listed = { ...initial, caa_identities: ['ca.example'], caa_by_default: false };
const unchecked = { ...listed, caa_identities: [] };
const offered = { additional_challenges: ['dns-persist-01' as const] };

describe('the additional challenges of a profile', () => {
  it.each([
    ['nothing', {}, initial, INTERNAL],
    [
      'dns-account-01, which needs no issuer',
      { additionalChallenges: ['dns-account-01' as const] },
      unchecked,
      INTERNAL,
    ],
    ['dns-persist-01 with identities', { ...persist, caaIdentities: ['ca.example'] }, initial, INTERNAL],
    ['dns-persist-01 with identities that are kept', persist, listed, INTERNAL],
    ['dns-persist-01 with a public host', persist, initial, PUBLIC],
    ['dns-persist-01 with a public host from now on', { ...persist, caaByDefault: true }, unchecked, PUBLIC],
    [
      'what ends it, with the identities',
      { additionalChallenges: [], caaIdentities: [] },
      { ...listed, ...offered },
      PUBLIC,
    ],
  ])('can be %s', (_what, request, kept, directoryBase) => {
    expect(problemsOfChallenges(request, { kept, directoryBase })).toEqual([]);
  });

  it.each([
    ['without a public host', persist, initial, INTERNAL, /https:\/\/localhost:8443, has no public host/],
    ['with a check that is off', { ...persist, caaIdentities: [] }, initial, PUBLIC, /caaIdentities is empty/],
    ['with a check that stays off', persist, unchecked, PUBLIC, /caaIdentities is empty/],
    ['where its identities go', { caaIdentities: [] }, { ...listed, ...offered }, PUBLIC, /caaIdentities is empty/],
    [
      'where they give way to a default that has none',
      { caaByDefault: true },
      { ...listed, ...offered },
      INTERNAL,
      /no public host/,
    ],
    ['where the check stays by default', { caaByDefault: true, ...persist }, listed, INTERNAL, /no public host/],
  ])('cannot be dns-persist-01 %s', (_what, request, kept, directoryBase, problem) => {
    expect(problemsOfChallenges(request, { kept, directoryBase })).toEqual([expect.stringMatching(problem)]);
  });
});
