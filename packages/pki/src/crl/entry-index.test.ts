// Goal: lookup is exact, and long or hostile CRLs cannot exhaust resources. Method: CRLs with random and with chosen
// serial numbers.
import { describe, expect, it } from 'vitest';
import { buildName } from '../names.ts';
import { concatBytes } from '../bytes.ts';
import { parseCrl, type CertificateList } from './crl.ts';
import { assembleCrl, buildTbsCertList } from './builder.ts';
import { encodeEntries } from './entry-list.ts';
import { indexedCrl, indexEntries } from './entry-index.ts';
import { signatureAlgorithm } from '../algorithms.ts';

const algorithm = signatureAlgorithm('SHA256withECDSA');
const NOW_MS = Date.UTC(2026, 10, 20);

function listOf(entries: Uint8Array): CertificateList {
  const tbs = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: buildName([{ type: 'CN', value: 'Long' }]),
    thisUpdateMs: NOW_MS,
    nextUpdateMs: NOW_MS + 1000,
    crlNumber: 1,
    authorityKeyIdentifier: Uint8Array.of(1),
    entries: { octets: entries, count: 1 },
  });
  return parseCrl(assembleCrl(tbs, { algorithm, signature: new Uint8Array(70) }));
}

const serialOf = (index: number): Uint8Array =>
  Uint8Array.of(1, 7, index & 0xff, (index >> 8) & 0xff, (index >> 16) & 0xff, 9, 9, 9);
const entriesOf = (count: number): Uint8Array => {
  const [one] = [encodeEntries([{ serialNumber: serialOf(0), revocationMs: NOW_MS, reason: 'superseded' }]).octets];
  const at = one.indexOf(7) + 1;
  const all = new Uint8Array(count * one.length);
  for (let index = 0; index < count; index++) {
    all.set(one, index * one.length);
    all.set(serialOf(index).subarray(2, 5), index * one.length + at);
  }
  return all;
};

describe('the index for a CRL', () => {
  it('with a million entries uses little memory and finds exactly the serial numbers in the CRL', () => {
    const crl = listOf(entriesOf(1_000_000));
    const before = process.cpuUsage();
    const tables = indexEntries(crl);
    const { user, system } = process.cpuUsage(before);
    expect(tables.count).toBe(1_000_000);
    expect(tables.slots.byteLength).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect((user + system) / 1e6).toBeLessThan(3);
    const { find } = indexedCrl(crl, tables);
    for (const index of [0, 1, 4711, 999_999])
      expect(find(serialOf(index))).toMatchObject([
        { reason: 'superseded', serialNumber: serialOf(index).toHex().slice(1) },
      ]);
    expect(find(serialOf(1_000_000))).toEqual([]);
    expect(find(Uint8Array.of(1))).toEqual([]);
  });

  it('is rejected if all serial numbers would be in one bucket', () => {
    const same = encodeEntries([{ serialNumber: serialOf(1), revocationMs: NOW_MS }]).octets;
    const crl = listOf(concatBytes(Array.from({ length: 10_000 }, () => same)));
    expect(() => indexEntries(crl)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
  });

  it('is empty for a CRL without entries', () => {
    expect(indexedCrl(listOf(new Uint8Array())).find(serialOf(1))).toEqual([]);
  });
});
