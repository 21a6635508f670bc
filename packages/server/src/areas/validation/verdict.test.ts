// Goal: one verdict, from the validation of the whole path. Method: chains with one fault each, from the viewpoint of
// the leaf and of every CA above it.
import { createBudget, customExtension, encodeDer, nullPart, parseCertificate, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { findPaths, type PathMember } from './find-paths.ts';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { evaluate, type CheckOutcome, type RevocationOutcome } from './verdict.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

const notChecked: CheckOutcome = { status: 'not_checked', message: '' };

interface Link extends PathMember {
  readonly revocation: RevocationOutcome;
  readonly expiringThresholdDays: number;
}

const uuids = new Map<Certificate, string>();
const link = ({ der }: TestCertificate, facts: Partial<Link> = {}): Link => {
  const certificate = parseCertificate(der);
  const uuid = `uuid-${uuids.size}`;
  uuids.set(certificate, uuid);
  return {
    uuid,
    certificate,
    trustedCa: certificate.isCa ? true : null,
    isRevoked: false,
    revocation: { ocsp: notChecked, crl: notChecked },
    expiringThresholdDays: 30,
    ...facts,
  };
};

/** Returns the verdicts on the first certificate and on each CA certificate of the path found among the others. */
const validate = (links: readonly [Link, ...Link[]], facts: { now?: Date } = {}) => {
  const [target, ...pool] = links;
  const at = facts.now ?? now;
  const question = { target, pool, isCut: false, nowMs: at.getTime(), budget: createBudget() };
  return findPaths(question, nodeCrypto.verify).map((path) => {
    const subject = links.find(({ uuid }) => uuid === path.uuid);
    if (!subject) throw new Error('The path belongs to an unknown certificate.');
    return evaluate({ ...subject, path }, at);
  });
};

const statuses = (links: readonly [Link, ...Link[]], facts?: Parameters<typeof validate>[1]) =>
  validate(links, facts).map(({ status }) => status);

describe('the validation result of a chain', async () => {
  const root = await makeRoot('Root');
  const between = await makeRoot('Between', { issuer: root });
  const leaf = await makeCertificate('leaf.test', { issuer: between });
  const revoked = {
    isRevoked: true,
    revocation: { ocsp: notChecked, crl: { status: 'revoked', message: 'Revoked.' } },
  } as const;

  it('is valid if the root and the CAs below it are trusted', () => {
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

  it('is invalid from an untrusted CA downward', () => {
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

  it('distinguishes certificates that only lack trust from those with other faults', async () => {
    const trustMissing = (links: readonly [Link, ...Link[]]) =>
      validate(links).map(({ isTrustMissing }) => isTrustMissing);
    const [untrustedRoot, untrusted] = [link(root, { trustedCa: false }), link(between, { trustedCa: false })];
    expect(trustMissing([link(leaf), untrusted, untrustedRoot])).toEqual([true, true, true]);
    expect(trustMissing([link(leaf), untrusted, link(root)])).toEqual([true, true, false]);
    expect(trustMissing([link(leaf), link(between), link(root)])).toEqual([false, false, false]);
    // The issuer is unknown, so nothing is known about the signature.
    expect(trustMissing([link(leaf), untrusted])).toEqual([false, false]);
    expect(trustMissing([link(leaf), link(between, revoked), untrustedRoot])[0]).toBe(false);
    const forged = link(await makeCertificate('forged.test', { issuer: between, signer: root.keys }));
    expect(trustMissing([forged, untrusted, untrustedRoot])[0]).toBe(false);
    expect(trustMissing([link(await makeCertificate('self.test'))])).toEqual([false]);
  });

  it('is invalid if the chain does not reach a root, and names the missing issuer', () => {
    const [verdict] = validate([link(leaf)]);
    expect(verdict).toMatchObject({ status: 'invalid', message: expect.stringContaining('CN=Between') });
    expect(verdict?.checks.signature.status).toBe('not_checked');
  });

  it('is invalid for a self-signed end entity', async () => {
    expect(statuses([link(await makeCertificate('self.test'))])).toEqual(['invalid']);
  });

  it('contains a failed signature check if the issuer did not create the signature', async () => {
    const forged = await makeCertificate('forged.test', { issuer: between, signer: root.keys });
    const [verdict] = validate([link(forged), link(between), link(root)]);
    expect(verdict).toMatchObject({ status: 'invalid', checks: { signature: { status: 'failed' } } });
  });

  it('changes over time', async () => {
    const early = await makeRoot('Early Root', { notBefore: inDays(-20) });
    const short = await makeCertificate('short.test', { issuer: early, notBefore: inDays(-10), notAfter: inDays(40) });
    const at = (days: number) => statuses([link(short), link(early)], { now: inDays(days) })[0];
    expect([at(-21), at(-11), at(-10), at(9), at(11), at(41)]).toEqual([
      'inactive',
      'inactive',
      'valid',
      'valid',
      'expiring',
      'expired',
    ]);
  });

  it('is still valid in the last second, and expired in the next one', async () => {
    const notAfter = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const short = await makeCertificate('short.test', { issuer: root, notAfter });
    const at = (ms: number) => statuses([link(short), link(root)], { now: new Date(notAfter.getTime() + ms) })[0];
    expect([at(999), at(1000)]).toEqual(['expiring', 'expired']);
  });

  it("uses the certificate's expiry threshold", () => {
    expect(statuses([link(leaf, { expiringThresholdDays: 400 }), link(between), link(root)])[0]).toBe('expiring');
  });

  it('is revoked for a certificate that any source reports as revoked, and invalid for certificates issued by a revoked CA', () => {
    expect(statuses([link(leaf, revoked), link(between), link(root)])).toEqual(['revoked', 'valid', 'valid']);
    expect(statuses([link(leaf), link(between, revoked), link(root)])).toEqual(['invalid', 'revoked', 'valid']);
  });

  it('is expired rather than revoked, but revoked rather than expiring', async () => {
    const short = link(await makeCertificate('short.test', { issuer: root, notAfter: inDays(40) }), revoked);
    const at = (days: number) => statuses([short, link(root)], { now: inDays(days) })[0];
    expect([at(41), at(20)]).toEqual(['expired', 'revoked']);
  });

  it('is expired rather than invalid if the whole chain has expired', () => {
    expect(statuses([link(leaf), link(between), link(root)], { now: inDays(366) })).toEqual([
      'expired',
      'expired',
      'expired',
    ]);
  });
});

describe('a fault in a CA certificate invalidates everything below it, and the error names the CA certificate', async () => {
  const root = await makeRoot('Root');
  const old = { notBefore: inDays(-100), notAfter: inDays(-10) };

  it('for an expired CA', async () => {
    const between = await makeRoot('Between', { issuer: root, ...old });
    const leaf = await makeCertificate('leaf.test', { issuer: between });
    const [verdict, ...above] = validate([link(leaf), link(between), link(root)]);
    expect(verdict).toMatchObject({
      status: 'invalid',
      message: expect.stringMatching(/^CN=Between, O=Test: .*expired/),
    });
    expect(verdict?.checks.certificate_chain.status).toBe('invalid');
    expect(above.map(({ status }) => status)).toEqual(['expired', 'valid']);
  });

  it('for an expired root', async () => {
    const expired = await makeRoot('Old Root', old);
    const between = await makeRoot('Between', { issuer: expired });
    const leaf = await makeCertificate('leaf.test', { issuer: between });
    const verdicts = validate([link(leaf), link(between), link(expired)]);
    expect(verdicts.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'expired']);
    expect(verdicts[0]?.message).toMatch(/^CN=Old Root, O=Test: .*expired/);
  });

  it('for a CA whose key is not permitted to sign certificates', async () => {
    const between = await makeRoot('Between', { issuer: root, keyUsage: ['digitalSignature', 'cRLSign'] });
    const leaf = await makeCertificate('leaf.test', { issuer: between });
    const verdicts = validate([link(leaf), link(between), link(root)]);
    expect(verdicts.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'valid']);
    expect(verdicts[0]?.checks.key_usage).toMatchObject({
      status: 'invalid',
      message: expect.stringMatching(/^CN=Between/),
    });
    expect(verdicts[1]?.checks.key_usage.status).toBe('invalid');
  });

  it("for a CA that violates its issuer's path length constraint", async () => {
    const narrow = await makeRoot('Narrow', { pathLength: 0 });
    const below = await makeRoot('Below', { issuer: narrow });
    const leaf = await makeCertificate('leaf.test', { issuer: below });
    const verdicts = validate([link(leaf), link(below), link(narrow)]);
    expect(verdicts.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'valid']);
    expect(verdicts[0]?.checks.basic_constraints).toMatchObject({
      status: 'invalid',
      message: expect.stringMatching(
        /^CN=Below, O=Test: The path length constraint of "CN=Narrow, O=Test" permits 0 CAs/,
      ),
    });
    expect(verdicts[1]?.checks.basic_constraints.status).toBe('invalid');
    const direct = await makeCertificate('direct.test', { issuer: narrow });
    expect(statuses([link(direct), link(narrow)])).toEqual(['valid', 'valid']);
  });

  it.each(['leaf', 'authority'])('for an unknown critical extension in the %s (RFC 5280 §4.2)', async (where) => {
    const extensions = [customExtension('1.2.3.4', { critical: true, value: encodeDer(nullPart()) })];
    const between = await makeRoot('Between', { issuer: root, ...(where === 'authority' && { extensions }) });
    const leaf = await makeCertificate('leaf.test', { issuer: between, ...(where === 'leaf' && { extensions }) });
    const [verdict] = validate([link(leaf), link(between), link(root)]);
    expect(verdict).toMatchObject({ status: 'invalid', message: expect.stringContaining('1.2.3.4') });
    expect(verdict?.message?.startsWith('CN=Between')).toBe(where === 'authority');
  });

  it('for a signature algorithm that cannot be verified, which is named', async () => {
    const leaf = await makeCertificate('leaf.test', { issuer: root });
    // ecdsa-with-SHA256 becomes an unassigned OID, 1.2.840.10045.4.3.30, in both places.
    const der = Buffer.from(
      Buffer.from(leaf.der).toString('hex').replaceAll('2a8648ce3d040302', '2a8648ce3d04031e'),
      'hex',
    );
    const [verdict] = validate([link({ ...leaf, der }), link(root)]);
    const message =
      'Signature algorithm 1.2.840.10045.4.3.30 is not supported. Cannot verify whether "CN=Root, O=Test" signed this ' +
      'certificate.';
    expect(verdict).toMatchObject({
      status: 'invalid',
      message,
      checks: { certificate_chain: { status: 'invalid', message }, signature: { status: 'not_checked', message } },
    });
  });

  it('for a revoked or untrusted CA, unless an equivalent certificate is neither', async () => {
    const between = await makeRoot('Between', { issuer: root });
    const twin = await makeRoot('Between', { issuer: root, keys: between.keys, notBefore: inDays(0) });
    const leaf = await makeCertificate('leaf.test', { issuer: between });
    for (const fault of [{ isRevoked: true }, { trustedCa: false }]) {
      expect(statuses([link(leaf), link(twin, fault), link(root)])[0]).toBe('invalid');
      expect(statuses([link(leaf), link(twin, fault), link(between), link(root)])).toEqual(['valid', 'valid', 'valid']);
    }
  });
});
