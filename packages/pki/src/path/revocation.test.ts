import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import { nodeCrypto } from '../node/index.ts';
import { crlDistributionPointsExtension, keyUsageExtension, type ExtensionInput } from '../x509/extension-parts.ts';
import { assembleCrl, buildTbsCertList, type TbsCertListInput } from '../crl/builder.ts';
import { parseCrl, type CertificateList } from '../crl/crl.ts';
import { indexedCrl } from '../crl/entry-index.ts';
import type { RevocationReason } from '../crl/reasons.ts';
import { createPathRevocation, revocationByCrl } from './revocation.ts';

const URL = 'http://pki.example/a.crl';
let root: TestEntity;
let leaf: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=CRL Root' });
  leaf = await issue({ subject: 'CN=leaf', issuer: root, extensions: [crlDistributionPointsExtension([URL])] });
});

const entry = (reason: RevocationReason) => ({
  serialNumber: leaf.certificate.serialBytes,
  revocationMs: NOW_MS - 1000,
  reason,
});

function crl(changes: Partial<TbsCertListInput> = {}, signer: TestEntity = root): CertificateList {
  const tbs = buildTbsCertList({
    signatureAlgorithm: signer.algorithm,
    issuer: root.name,
    thisUpdateMs: NOW_MS - 10_000,
    nextUpdateMs: NOW_MS + DAY_MS,
    crlNumber: 7,
    authorityKeyIdentifier: root.keyId,
    entries: [],
    ...changes,
  });
  return parseCrl(assembleCrl(tbs, signer.sign(tbs)));
}

const verdict = (sources: { full: CertificateList; delta?: CertificateList }) =>
  revocationByCrl(leaf.certificate, { ...sources, issuer: root.certificate, nowMs: NOW_MS, verify: nodeCrypto.verify });
const delta = (reason: RevocationReason | undefined, changes: Partial<TbsCertListInput> = {}) =>
  crl({ crlNumber: 8, baseCrlNumber: 7, entries: reason ? [entry(reason)] : [], ...changes });

describe('a full CRL', () => {
  it('determines the status as good or revoked', () => {
    expect(verdict({ full: crl() })).toMatchObject({ status: 'good' });
    expect(verdict({ full: crl({ entries: [entry('superseded')] }) })).toMatchObject({
      status: 'revoked',
      entry: { reason: 'superseded' },
    });
  });

  it('leaves the status undetermined if it is unusable', async () => {
    const other = await issue({ subject: 'CN=CRL Root' });
    const unknown: ExtensionInput = { oid: '1.2.3.4', critical: true, value: Uint8Array.of(5, 0) };
    for (const full of [
      crl({ nextUpdateMs: NOW_MS - 5_000 }),
      crl({ thisUpdateMs: NOW_MS + 5_000 }),
      crl({ issuer: leaf.name }),
      crl({}, other),
      crl({ extensions: [unknown] }),
    ]) {
      expect(verdict({ full })).toMatchObject({ status: 'undetermined' });
    }
  });

  it('for one distribution point covers only the certificates that refer to it', () => {
    const of = (url: string) => crl({ issuingDistributionPoint: { urls: [url] }, entries: [entry('superseded')] });
    expect(verdict({ full: of(URL) })).toMatchObject({ status: 'revoked' });
    expect(verdict({ full: of('http://pki.example/b.crl') })).toMatchObject({ status: 'undetermined' });
    expect(verdict({ full: crl({ issuingDistributionPoint: { onlyContainsCaCerts: true } }) })).toMatchObject({
      status: 'undetermined',
    });
    expect(verdict({ full: crl({ issuingDistributionPoint: { onlyContainsUserCerts: true } }) })).toMatchObject({
      status: 'good',
    });
  });
});

describe('a delta CRL', () => {
  it('adds, changes and removes entries of its full CRL', () => {
    expect(verdict({ full: crl(), delta: delta('keyCompromise') })).toMatchObject({ status: 'revoked' });
    const held = crl({ entries: [entry('certificateHold')] });
    expect(verdict({ full: held, delta: delta('keyCompromise') })).toMatchObject({
      entry: { reason: 'keyCompromise' },
    });
    expect(verdict({ full: held, delta: delta('removeFromCRL') })).toMatchObject({ status: 'good' });
    expect(verdict({ full: held, delta: delta(undefined) })).toMatchObject({ entry: { reason: 'certificateHold' } });
  });

  it('applies to any full CRL from its base up to its own number', () => {
    const numberedCrl = (crlNumber: number) => crl({ crlNumber });
    for (const number of [7, 8]) {
      expect(verdict({ full: numberedCrl(number), delta: delta('superseded') })).toMatchObject({ status: 'revoked' });
    }
    for (const number of [6, 9])
      expect(verdict({ full: numberedCrl(number), delta: delta('superseded') })).toMatchObject({ status: 'good' });
  });

  it('is ignored if it is forged, has expired or has a different scope', async () => {
    const other = await issue({ subject: 'CN=CRL Root' });
    const facts = { crlNumber: 8, baseCrlNumber: 7, entries: [entry('removeFromCRL')] };
    const full = crl({ entries: [entry('superseded')] });
    for (const useless of [
      crl(facts, other),
      crl({ ...facts, nextUpdateMs: NOW_MS - 5_000 }),
      crl({ ...facts, issuingDistributionPoint: { urls: [URL] } }),
    ]) {
      expect(verdict({ full, delta: useless })).toMatchObject({ status: 'revoked' });
    }
  });
});

describe('a CRL from a signer other than the issuer', () => {
  const statusFrom = (lists: readonly CertificateList[], candidates: readonly TestEntity[]) =>
    createPathRevocation({
      crlsFor: () => lists.map((list) => indexedCrl(list)),
      candidates: [root, ...candidates].map((each) => ({ certificate: each.certificate, isAnchor: each === root })),
      nowMs: NOW_MS,
      verify: nodeCrypto.verify,
    }).statusOf([leaf.certificate, root.certificate]).status;
  const signing = { extensions: [keyUsageExtension(['cRLSign'])] };

  it("is used if the signer has the issuer's name and leads to the same anchor", async () => {
    const signer = await issue({ subject: 'CN=CRL Root', issuer: root, ...signing });
    const list = crl({ entries: [entry('superseded')] }, signer);
    expect(statusFrom([list], [signer])).toBe('revoked');
    expect(statusFrom([list], [])).toBe('undetermined');
  });

  it('is not used if the anchor is different, the signer is revoked, or the signer must not sign CRLs', async () => {
    const other = await issue({ subject: 'CN=Other Root' });
    const foreign = await issue({ subject: 'CN=CRL Root', issuer: other, ...signing });
    const revoked = await issue({ subject: 'CN=CRL Root', issuer: root, ...signing });
    const mute = await issue({
      subject: 'CN=CRL Root',
      issuer: root,
      extensions: [keyUsageExtension(['digitalSignature'])],
    });
    const naming = { ...entry('superseded'), serialNumber: revoked.certificate.serialBytes };
    expect(statusFrom([crl({}, foreign)], [foreign, other])).toBe('undetermined');
    expect(statusFrom([crl({ entries: [naming] }), crl({}, revoked)], [revoked])).toBe('good');
    expect(
      statusFrom(
        [crl({ entries: [naming], issuingDistributionPoint: { onlyContainsCaCerts: true } }), crl({}, mute)],
        [mute],
      ),
    ).toBe('undetermined');
  });
});
