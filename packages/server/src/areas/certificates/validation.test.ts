import { parseCertificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from './testing/test-certificates.ts';
import { validateChain, type CheckOutcome, type Link } from './validation.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

const notChecked: CheckOutcome = { status: 'not_checked', message: '' };

const link = ({ der }: TestCertificate, facts: Partial<Link> = {}): Link => {
  const certificate = parseCertificate(der);
  return {
    certificate,
    trustedCa: certificate.isCa ? true : null,
    revocation: { ocsp: notChecked, crl: notChecked },
    expiringThresholdDays: 30,
    ...facts,
  };
};

const validate = (links: readonly Link[], facts: { isComplete?: boolean; now?: Date } = {}) =>
  validateChain(links, { isComplete: true, now, verify: nodeCrypto.verify, ...facts });

const statuses = (links: readonly Link[], facts?: Parameters<typeof validate>[1]) =>
  validate(links, facts).map(({ status }) => status);

describe('the verdict about a chain', async () => {
  const root = await makeRoot('Root');
  const between = await makeRoot('Between', { issuer: root });
  const leaf = await makeCertificate('leaf.test', { issuer: between });
  const revoked = { revocation: { ocsp: notChecked, crl: { status: 'revoked', message: 'Revoked.' } } } as const;

  it('is valid when the root and the authorities below are trusted', () => {
    const verdicts = validate([link(leaf), link(between), link(root)]);
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid']);
    expect(verdicts[0]?.checks).toMatchObject({
      certificate_chain: { status: 'valid' },
      signature: { status: 'valid' },
      certificate_validity: { status: 'valid' },
      ocsp_verification: { status: 'not_checked' },
      crl_verification: { status: 'not_checked' },
      basic_constraints: { status: 'valid' },
      key_usage: { status: 'not_checked' },
    });
    expect(verdicts[1]?.checks.key_usage.status).toBe('valid');
  });

  it('is invalid from the authority down that nobody marked as trusted', () => {
    expect(statuses([link(leaf), link(between, { trustedCa: false }), link(root)])).toEqual([
      'invalid',
      'invalid',
      'valid',
    ]);
    expect(statuses([link(leaf), link(between), link(root, { trustedCa: false })])).toEqual([
      'invalid',
      'invalid',
      'invalid',
    ]);
  });

  it('is invalid when the chain does not reach a root, and says whose certificate is missing', () => {
    const [verdict] = validate([link(leaf)], { isComplete: false });
    expect(verdict).toMatchObject({ status: 'invalid', message: expect.stringContaining('CN=Between') });
    expect(verdict?.checks.signature.status).toBe('not_checked');
  });

  it('is invalid for an end entity that signed itself', async () => {
    expect(statuses([link(await makeCertificate('self.test'))])).toEqual(['invalid']);
  });

  it('is failed for a signature that the issuer did not make', async () => {
    const forged = await makeCertificate('forged.test', { issuer: between, signer: root.keys });
    const [verdict] = validate([link(forged), link(between), link(root)]);
    expect(verdict).toMatchObject({ status: 'invalid', checks: { signature: { status: 'failed' } } });
  });

  it('follows the time', async () => {
    const short = await makeCertificate('short.test', { issuer: root, notBefore: inDays(-10), notAfter: inDays(40) });
    const at = (days: number) => statuses([link(short), link(root)], { now: inDays(days) })[0];
    expect([at(-11), at(-10), at(9), at(11), at(41)]).toEqual(['inactive', 'valid', 'valid', 'expiring', 'expired']);
  });

  it('is still valid in the last second and expired in the next', async () => {
    const notAfter = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const short = await makeCertificate('short.test', { issuer: root, notAfter });
    const at = (ms: number) => statuses([link(short), link(root)], { now: new Date(notAfter.getTime() + ms) })[0];
    expect([at(999), at(1000)]).toEqual(['expiring', 'expired']);
  });

  it('takes the threshold of the certificate', () => {
    expect(statuses([link(leaf, { expiringThresholdDays: 400 }), link(between), link(root)])[0]).toBe('expiring');
  });

  it('is revoked when any source says so, and what a revoked authority issued is invalid', () => {
    expect(statuses([link(leaf, revoked), link(between), link(root)])).toEqual(['revoked', 'valid', 'valid']);
    expect(statuses([link(leaf), link(between, revoked), link(root)])).toEqual(['invalid', 'revoked', 'valid']);
  });

  it('is expired rather than revoked, and revoked rather than expiring', () => {
    expect(statuses([link(leaf, revoked), link(between), link(root)], { now: inDays(366) })[0]).toBe('expired');
    expect(statuses([link(leaf, revoked), link(between), link(root)], { now: inDays(350) })[0]).toBe('revoked');
  });

  it('shows an exceeded path length at the authority that exceeds it', async () => {
    const narrow = await makeRoot('Narrow', { pathLength: 0 });
    const below = await makeRoot('Below', { issuer: narrow });
    const end = await makeCertificate('end.test', { issuer: below });
    const [, verdict] = validate([link(end), link(below), link(narrow)]);
    expect(verdict?.checks.basic_constraints.status).toBe('invalid');
  });

  it('shows an authority whose key may not sign certificates', async () => {
    const wrong = await makeRoot('Wrong', { keyUsage: ['digitalSignature'] });
    expect(validate([link(wrong)])[0]?.checks.key_usage.status).toBe('invalid');
  });

  it('is invalid with a critical extension that nobody knows (RFC 5280 section 4.2)', async () => {
    const { customExtension, encodeDer, nullPart } = await import('@signetry/pki');
    const extensions = [customExtension('1.2.3.4', { critical: true, value: encodeDer(nullPart()) })];
    const odd = await makeCertificate('odd.test', { issuer: root, extensions });
    expect(validate([link(odd), link(root)])[0]).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('1.2.3.4'),
    });
  });
});
