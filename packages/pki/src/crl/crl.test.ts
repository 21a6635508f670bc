import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { assembleCrl, buildTbsCertList, type TbsCertListInput } from './builder.ts';
import type { RevokedEntryInput } from './entry-list.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import {
  deltaFits,
  findRevoked,
  indexRevoked,
  parseCrl,
  readCrl,
  revokedEntries,
  unknownCriticalCrlExtensions,
  type CertificateList,
} from './crl.ts';
import { encodeDer, enumeratedPart, integerPart, octetStringOf, oidPart, sequence, timePart } from '../der/writer.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { isSignedBy } from '../x509/signed.ts';
import { nodeCrypto } from '../node/index.ts';
import { numberHex } from '../bytes.ts';
import { OID } from '../oids.ts';
import { REVOCATION_REASONS, type RevocationReason } from './reasons.ts';
import { writePem } from '../pem.ts';

let root: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=CRL Root' });
});

const serial = (value: number): Uint8Array => Uint8Array.of(0x40, value >> 16, (value >> 8) & 0xff, value & 0xff);

function tbs(changes: Partial<TbsCertListInput> = {}): Uint8Array {
  return buildTbsCertList({
    signatureAlgorithm: root.algorithm,
    issuer: root.name,
    thisUpdateMs: NOW_MS,
    nextUpdateMs: NOW_MS + DAY_MS,
    crlNumber: 7,
    authorityKeyIdentifier: root.keyId,
    entries: [],
    ...changes,
  });
}

function makeCrl(changes: Partial<TbsCertListInput> = {}): CertificateList {
  const octets = tbs(changes);
  return parseCrl(assembleCrl(octets, root.sign(octets)));
}

describe('a full CRL', () => {
  it('round-trips with its numbers, times and entries, and its signature verifies', () => {
    const entries: RevokedEntryInput[] = [
      { serialNumber: serial(1), revocationMs: NOW_MS - 1000, reason: 'keyCompromise', invalidityMs: NOW_MS - DAY_MS },
      { serialNumber: serial(2), revocationMs: NOW_MS - 2000 },
      { serialNumber: serial(3), revocationMs: NOW_MS - 3000, reason: 'unspecified' },
    ];
    const crl = makeCrl({ entries, crlNumber: 2n ** 100n, freshestCrlUrls: ['http://a.example/d.crl'] });
    expect(crl).toMatchObject({
      version: 2,
      thisUpdateMs: NOW_MS,
      nextUpdateMs: NOW_MS + DAY_MS,
      crlNumber: 2n ** 100n,
      baseCrlNumber: undefined,
      issuingDistributionPoint: undefined,
    });
    expect(crl.authorityKeyIdentifier?.keyIdentifier).toEqual(root.keyId);
    expect(
      [...revokedEntries(crl)].map(({ serialNumber, reason, revocationMs, invalidityMs }) => [
        serialNumber,
        reason,
        revocationMs,
        invalidityMs,
      ]),
    ).toEqual([
      ['40000001', 'keyCompromise', NOW_MS - 1000, NOW_MS - DAY_MS],
      ['40000002', undefined, NOW_MS - 2000, undefined],
      ['40000003', undefined, NOW_MS - 3000, undefined],
    ]);
    expect(isSignedBy(crl, { issuerSpki: root.keys.spki, verify: nodeCrypto.verify })).toBe(true);
    expect(readCrl(writePem('X509 CRL', crl.der)).crlNumber).toBe(2n ** 100n);
  });

  it('omits revokedCertificates if it has no entries', () => {
    const crl = makeCrl();
    expect(crl.entries).toBeUndefined();
    expect([...revokedEntries(crl)]).toEqual([]);
    expect(findRevoked(crl, serial(1))).toBeUndefined();
  });

  it('preserves every reason', () => {
    const reasons = (Object.keys(REVOCATION_REASONS) as RevocationReason[]).filter(
      (reason) => reason !== 'unspecified',
    );
    const crl = makeCrl({
      baseCrlNumber: 1,
      entries: reasons.map((reason, index) => ({ serialNumber: serial(index), revocationMs: NOW_MS, reason })),
    });
    expect([...revokedEntries(crl)].map(({ reason }) => reason)).toEqual(reasons);
  });

  it("finds an entry among 10,000 by the bytes of a certificate's serial number, as the index does", () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      serialNumber: serial(index * 3),
      revocationMs: NOW_MS,
      reason: 'superseded' as const,
    }));
    const crl = makeCrl({ entries });
    const index = indexRevoked(crl);
    expect(index.size).toBe(10_000);
    fc.assert(
      fc.property(fc.nat(30_000), (value) => {
        const found = findRevoked(crl, serial(value));
        expect(found?.serialNumber).toBe(value % 3 === 0 && value < 30_000 ? numberHex(serial(value)) : undefined);
        expect(index.get(numberHex(serial(value)))).toEqual(found);
      }),
    );
  });
});

describe('a delta CRL', () => {
  it('applies to a full CRL that has the same scope and is not older than its base', () => {
    const delta = makeCrl({
      crlNumber: 9,
      baseCrlNumber: 5,
      entries: [{ serialNumber: serial(1), revocationMs: NOW_MS, reason: 'removeFromCRL' }],
    });
    expect(delta.baseCrlNumber).toBe(5n);
    expect(deltaFits(makeCrl({ crlNumber: 5 }), delta)).toBe(true);
    expect(deltaFits(makeCrl({ crlNumber: 7 }), delta)).toBe(true);
    expect(deltaFits(makeCrl({ crlNumber: 4 }), delta)).toBe(false);
    expect(deltaFits(makeCrl({ crlNumber: 10 }), delta)).toBe(false);
    expect(deltaFits(delta, delta)).toBe(false);
    expect(deltaFits(makeCrl({ crlNumber: 5, issuingDistributionPoint: { onlyContainsUserCerts: true } }), delta)).toBe(
      false,
    );
  });
});

describe('the issuing distribution point', () => {
  it('round-trips', () => {
    const crl = makeCrl({
      issuingDistributionPoint: {
        urls: ['http://a.example/x.crl'],
        onlyContainsCaCerts: true,
        onlySomeReasons: 0b10,
        indirectCrl: true,
      },
    });
    expect(crl.issuingDistributionPoint).toEqual({
      fullName: [{ kind: 'uniformResourceIdentifier', value: 'http://a.example/x.crl' }],
      onlyContainsUserCerts: false,
      onlyContainsCaCerts: true,
      onlyContainsAttributeCerts: false,
      onlySomeReasons: 2,
      indirectCrl: true,
    });
  });
});

describe('the CRL builder rejects', () => {
  it.each([
    ['an update that ends before it starts', { nextUpdateMs: NOW_MS - 1 }],
    ['a negative number', { crlNumber: -1 }],
    ['a number beyond 20 octets', { crlNumber: 2n ** 159n }],
    ['a delta numbered before its base', { crlNumber: 3, baseCrlNumber: 4 }],
    ['a delta that points to deltas', { baseCrlNumber: 1, freshestCrlUrls: ['http://a.example'] }],
    [
      'removeFromCRL in a full CRL',
      { entries: [{ serialNumber: serial(1), revocationMs: NOW_MS, reason: 'removeFromCRL' as const }] },
    ],
    [
      'a scope of users only and authorities only',
      { issuingDistributionPoint: { onlyContainsUserCerts: true, onlyContainsCaCerts: true } },
    ],
  ])('%s', (_, changes) => {
    expect(() => tbs(changes)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

describe('third-party CRLs', () => {
  const crlWithEntryExtensions = (entryExtensions: Uint8Array): CertificateList => {
    const entry = sequence([integerPart(5), timePart(NOW_MS), entryExtensions]);
    const list = encodeDer(
      sequence([integerPart(1), root.algorithm.der, root.name.der, timePart(NOW_MS), sequence([entry])]),
    );
    return parseCrl(assembleCrl(list, root.sign(list)));
  };
  const extension = (oid: string, value: Parameters<typeof octetStringOf>[0], critical = false): Uint8Array =>
    encodeDer(
      sequence([sequence([oidPart(oid), critical ? Uint8Array.of(1, 1, 0xff) : undefined, octetStringOf(value)])]),
    );

  it('report the certificate as revoked even if the reason is undefined', () => {
    expect([...revokedEntries(crlWithEntryExtensions(extension(OID.reasonCode, enumeratedPart(7))))]).toMatchObject([
      { serialNumber: '5', reason: 'unspecified' },
    ]);
  });

  it('report unknown critical extensions', () => {
    expect(
      [...revokedEntries(crlWithEntryExtensions(extension('1.2.3', Uint8Array.of(5, 0), true)))][0]?.unknownCritical,
    ).toEqual(['1.2.3']);
    const crl = makeCrl({ extensions: [{ oid: '1.2.4', critical: true, value: Uint8Array.of(5, 0) }] });
    expect(unknownCriticalCrlExtensions(crl)).toEqual(['1.2.4']);
    expect(unknownCriticalCrlExtensions(makeCrl({ baseCrlNumber: 1, issuingDistributionPoint: {} }))).toEqual([]);
  });

  it('can have version 1, without extensions or nextUpdate', () => {
    const list = encodeDer(sequence([root.algorithm.der, root.name.der, timePart(NOW_MS)]));
    const crl = parseCrl(assembleCrl(list, root.sign(list)));
    expect(crl).toMatchObject({ version: 1, nextUpdateMs: undefined, extensions: [], crlNumber: undefined });
  });
});

describe.skipIf(!HAS_OPENSSL)(`our CRLs in openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
    openssl.write('ca.pem', writePem('CERTIFICATE', root.certificate.der));
  });
  afterAll(() => openssl.remove());

  it('are printed and verify, both full and delta', () => {
    const entries = [
      {
        serialNumber: serial(1),
        revocationMs: NOW_MS,
        reason: 'certificateHold' as const,
        invalidityMs: NOW_MS - DAY_MS,
      },
    ];
    openssl.write('full.pem', writePem('X509 CRL', makeCrl({ entries }).der));
    const full = openssl.run('crl', '-in', 'full.pem', '-noout', '-text', '-CAfile', 'ca.pem', '-verify');
    for (const line of [
      'Version 2',
      'X509v3 CRL Number',
      'Serial Number: 40000001',
      'Certificate Hold',
      'Invalidity Date',
    ])
      expect(full).toContain(line);
    openssl.write(
      'delta.pem',
      writePem(
        'X509 CRL',
        makeCrl({ baseCrlNumber: 6, issuingDistributionPoint: { onlyContainsUserCerts: true } }).der,
      ),
    );
    const delta = openssl.run('crl', '-in', 'delta.pem', '-noout', '-text', '-CAfile', 'ca.pem', '-verify');
    for (const line of ['X509v3 Delta CRL Indicator: critical', 'Only User Certificates', 'No Revoked Certificates'])
      expect(delta).toContain(line);
  });

  it('revoke the listed certificate, but not the one with the next serial number', async () => {
    const issueLeaf = (number: number) =>
      issue({ subject: `CN=leaf ${number}`, issuer: root, serialNumber: serial(number), extensions: [] });
    openssl.write(
      'crl.pem',
      writePem('X509 CRL', makeCrl({ entries: [{ serialNumber: serial(1), revocationMs: NOW_MS - DAY_MS }] }).der),
    );
    openssl.write('1.pem', writePem('CERTIFICATE', (await issueLeaf(1)).certificate.der));
    openssl.write('2.pem', writePem('CERTIFICATE', (await issueLeaf(2)).certificate.der));
    const verify = (file: string): string =>
      openssl.run(
        'verify',
        '-attime',
        String(NOW_MS / 1000 + 60),
        '-crl_check',
        '-CRLfile',
        'crl.pem',
        '-CAfile',
        'ca.pem',
        file,
      );
    expect(() => verify('1.pem')).toThrow(/certificate revoked/);
    expect(verify('2.pem')).toContain('OK');
  });
});
