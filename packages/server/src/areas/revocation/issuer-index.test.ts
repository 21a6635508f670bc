import {
  buildCertId,
  buildOcspRequest,
  issuerHashes,
  issuerHashKey,
  parseOcspRequest,
  type DigestName,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { createFakeClock } from '@signetry/testkit/services';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../platform/platform.ts';
import { caKeyOf, groupByCa, indexByHash } from './issuer-index.ts';
import { createTestAuthority } from './testing/authority.ts';
import type { TestCa } from './testing/ca.ts';

const withoutDatabase = (): Pick<Platform, 'clock' | 'database'> => ({
  clock: createFakeClock(),
  database: { query: async () => [] } as unknown as Platform['database'], // The authority only inserts its row.
});
const factsOf = ({ uuid, certificate }: TestCa) => ({ uuid, certificate, key: caKeyOf(certificate) });
/** Identifies a CA as OCSP clients do. */
const named = (ca: TestCa, digestName: DigestName): string => {
  const certId = buildCertId(issuerHashes(ca.certificate, { digestName, digest: nodeCrypto.digest }), Uint8Array.of(5));
  const [read] = parseOcspRequest(buildOcspRequest({ certIds: [certId] })).certIds;
  if (!read) throw new Error('The request is about nothing.');
  return issuerHashKey(read);
};

describe('finding the CA identified by a CertID', () => {
  it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)('works with %s', async (digestName) => {
    const { ca } = await createTestAuthority(withoutDatabase());
    const issuers = groupByCa([factsOf(ca())], new Set([ca().uuid]));
    expect(indexByHash(issuers).get(named(ca(), digestName))).toBe(issuers[0]);
  });

  it('does not match a CA with the same name but a different key, or one with a different name', async () => {
    const authority = await createTestAuthority(withoutDatabase());
    const former = authority.ca();
    const current = await authority.renewCa();
    const other = await createTestAuthority(withoutDatabase());
    const index = indexByHash(groupByCa([factsOf(current)], new Set([current.uuid])));
    expect(index.get(named(former, 'sha1'))).toBeUndefined();
    expect(index.get(named(other.ca(), 'sha1'))).toBeUndefined();
  });

  it('treats certificates with the same key as one CA, and returns the current CA certificate first', async () => {
    const authority = await createTestAuthority(withoutDatabase());
    const former = authority.ca();
    const renewed = await authority.renewCa(former.keys);
    const rekeyed = await authority.renewCa();
    const issuers = groupByCa([former, renewed, rekeyed].map(factsOf), new Set([rekeyed.uuid]));
    expect(issuers.map(({ certificateUuids, isCurrent }) => [new Set(certificateUuids), isCurrent])).toEqual([
      [new Set([rekeyed.uuid]), true],
      [new Set([former.uuid, renewed.uuid]), false],
    ]);
  });
});
