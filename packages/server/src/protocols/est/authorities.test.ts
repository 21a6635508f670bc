import { describe, expect, it } from 'vitest';
import { createFakeClock } from '@signetry/testkit/services';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { createAuthorities } from './authorities.ts';
import { foundCertificate } from './testing/est-parts.ts';
import { AUTHORITY_UUID, servedProfile } from './testing/est-requests.ts';

const [issuer, older, maker] = [await makeRoot('issuer'), await makeRoot('older'), await makeRoot('maker')];
const inventory = new Map([
  ['issuer', issuer],
  ['older', older],
  ['maker', maker],
]);

/** Returns the authorities of profiles whose RA profile has these properties, and records the certificate lookups. */
function authoritiesOf(facts: { authorityUuid?: string | null; caCertificateUuid?: string | null } | undefined) {
  const looked: string[][] = [];
  const clock = createFakeClock();
  const authorities = createAuthorities({ clock }, {
    raProfiles: {
      findByUuid: async () => facts && { authorityUuid: null, caCertificateUuid: null, ...facts },
      caCertificateUuids: async (uuid: string) => (uuid === AUTHORITY_UUID ? ['issuer', 'older'] : []),
    },
    chains: { chainOf: async (uuid: string) => [inventory.get(uuid)?.der] },
    certificates: {
      findByUuids: async (uuids: readonly string[]) => {
        looked.push([...uuids]);
        return uuids.flatMap((uuid) => inventory.get(uuid) ?? []).map(({ der }) => foundCertificate({ der }));
      },
    },
  } as unknown as Parameters<typeof createAuthorities>[1]); // The only methods that are used.
  return { authorities, clock, looked };
}

const namesOf = (certificates: readonly { readonly der: Uint8Array }[]): string[] =>
  certificates.map(({ der }) => [...inventory].find(([, each]) => Buffer.from(each.der).equals(der))?.[0] ?? '?');

describe('the certification authorities known to a profile', () => {
  it('are all certificates of its own authority, the chain to be sent, and additional trusted certificates', async () => {
    const { authorities } = authoritiesOf({ authorityUuid: AUTHORITY_UUID, caCertificateUuid: 'issuer' });
    const { chain, own, trusted } = await authorities(servedProfile({ trustedCertificateUuids: ['maker'] }));
    expect(chain).toEqual([issuer.der]);
    expect([namesOf(own), namesOf(trusted)]).toEqual([['issuer', 'older'], ['maker']]);
  });

  it.each([
    ['without RA profile', undefined, servedProfile({ raProfile: undefined })],
    ['whose RA profile was removed', undefined, servedProfile()],
    ['whose RA profile has no authority any more', {}, servedProfile()],
  ])('are empty for a profile %s', async (_what, facts, profile) => {
    const { authorities, looked } = authoritiesOf(facts);
    expect(await authorities(profile)).toEqual({ chain: [], own: [], trusted: [] });
    expect(looked).toEqual([]);
  });

  it('exclude a trusted certificate that was deleted', async () => {
    const { authorities } = authoritiesOf(undefined);
    const { trusted } = await authorities(servedProfile({ trustedCertificateUuids: ['gone', 'maker'] }));
    expect(namesOf(trusted)).toEqual(['maker']);
  });

  it('are cached for several seconds, separately for each list of trusted certificates', async () => {
    const { authorities, clock, looked } = authoritiesOf(undefined);
    const ask = (...trustedCertificateUuids: string[]) => authorities(servedProfile({ trustedCertificateUuids }));
    await ask('maker');
    await ask('maker');
    expect(looked).toEqual([['maker']]);
    await ask('maker', 'older');
    expect(looked).toEqual([['maker'], ['maker', 'older']]);
    clock.advance(5_000);
    await ask('maker');
    expect(looked).toHaveLength(3);
  });
});
