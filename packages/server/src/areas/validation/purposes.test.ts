// Purposes in verdicts: which ones a certificate is valid for, and certificates that no purpose can use.
import { createBudget, extKeyUsageExtension, OID, parseCertificate, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { evaluate, type RevocationOutcome } from './verdict.ts';
import { findPaths, type PathMember } from './find-paths.ts';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';

const revocation: RevocationOutcome = {
  ocsp: { status: 'not_checked', message: '' },
  crl: { status: 'not_checked', message: '' },
};

const memberOf = ({ der }: TestCertificate, trusted = true): PathMember => {
  const certificate: Certificate = parseCertificate(der);
  return {
    uuid: certificate.serialNumber,
    certificate,
    trustedCa: certificate.isCa ? trusted : null,
    isRevoked: false,
  };
};

const now = new Date();
function verdictOn(target: TestCertificate, above: readonly TestCertificate[], trusted = true) {
  const member = memberOf(target, trusted);
  const pool = above.map((each) => memberOf(each, trusted));
  const question = { target: member, pool, isCut: false, nowMs: now.getTime(), budget: createBudget() };
  const [path] = findPaths(question, nodeCrypto.verify);
  return evaluate({ ...member, path, revocation, expiringThresholdDays: 30 }, now);
}

const validFor = (verdict: ReturnType<typeof verdictOn>): string[] =>
  verdict.purposes.filter(({ valid }) => valid).map(({ purpose }) => purpose);

const { serverAuth, clientAuth, emailProtection, timeStamping, anyExtendedKeyUsage } = OID;

let root: TestCertificate;
let mailCa: TestCertificate;
beforeAll(async () => {
  root = await makeRoot('Root');
  mailCa = await makeRoot('Mail CA', {
    issuer: root,
    extensions: [extKeyUsageExtension([emailProtection, clientAuth])],
  });
});

const leafOf = (issuer: TestCertificate, extendedKeyUsage?: readonly string[]): Promise<TestCertificate> =>
  makeCertificate('leaf.test', { issuer, ...(extendedKeyUsage && { extendedKeyUsage }) });

describe('the purposes of a certificate', () => {
  it('are those in its extended key usage', async () => {
    const verdict = verdictOn(await leafOf(root, [serverAuth, clientAuth]), [root]);
    expect(verdict.status).toBe('valid');
    expect(validFor(verdict)).toEqual(['server', 'client']);
    expect(verdict.purposes.find(({ purpose }) => purpose === 'code')).toEqual({
      purpose: 'code',
      valid: false,
      message: 'The certificate does not have the extended key usage Code Signing.',
    });
    expect(validFor(verdictOn(await leafOf(root, [timeStamping]), [root]))).toEqual(['timeStamping']);
  });

  it('are all but time stamping and OCSP signing without the extension, or with anyExtendedKeyUsage', async () => {
    const bare = await makeCertificate('leaf.test', { issuer: root, only: [] });
    for (const leaf of [bare, await leafOf(root, [anyExtendedKeyUsage])])
      expect(validFor(verdictOn(leaf, [root]))).toEqual(['server', 'client', 'mail', 'code']);
  });

  it('are restricted by the CAs above it', async () => {
    const verdict = verdictOn(await leafOf(mailCa, [serverAuth, clientAuth]), [mailCa, root]);
    expect(verdict.status).toBe('valid');
    expect(validFor(verdict)).toEqual(['client']);
    expect(verdict.purposes[0]?.message).toBe(
      'The CA "CN=Mail CA, O=Test" is restricted to other purposes: E-mail Protection, TLS Web Client Authentication.',
    );
  });

  it('of a CA are those for which it can issue', () => {
    expect(validFor(verdictOn(mailCa, [root]))).toEqual(['client', 'mail']);
    expect(validFor(verdictOn(root, []))).toEqual(['server', 'client', 'mail', 'code', 'timeStamping', 'ocsp']);
  });

  it('are not valid if the certificate is not, which its status explains', async () => {
    const verdict = verdictOn(await leafOf(root, [serverAuth]), [root], false);
    expect(verdict.status).toBe('invalid');
    expect(validFor(verdict)).toEqual([]);
    expect(verdict.purposes.every(({ message }) => message === undefined)).toBe(true);
  });
});

describe('a certificate that is only for purposes that a CA above it excludes', () => {
  it('is invalid, with the CA and the purpose as the reason', async () => {
    const verdict = verdictOn(await leafOf(mailCa, [serverAuth]), [mailCa, root]);
    expect(verdict).toMatchObject({
      status: 'invalid',
      isTrustMissing: false,
      message: 'CN=Mail CA, O=Test: The extended key usage does not include TLS Web Server Authentication.',
      checks: { certificate_chain: { status: 'invalid' }, signature: { status: 'valid' } },
    });
    expect(validFor(verdict)).toEqual([]);
  });

  it('is valid over another certificate of the same CA that permits the purpose', async () => {
    const open = await makeRoot('Mail CA', { issuer: root, keys: mailCa.keys });
    const leaf = await leafOf(mailCa, [serverAuth]);
    for (const above of [
      [mailCa, open, root],
      [open, mailCa, root],
    ])
      expect(validFor(verdictOn(leaf, above))).toEqual(['server']);
  });
});

describe('a trusted authority that is not self-signed', () => {
  it('does not end the chain, which the message explains', async () => {
    const between = await makeRoot('Between', { issuer: root });
    const explanation =
      'The issuer certificate "CN=Root, O=Test" was not found. "CN=Between, O=Test" is marked as trusted but is not self-signed, so it ' +
      'cannot be the end of the chain. Add the certificate of its root and mark it as trusted.';
    expect(verdictOn(between, []).message).toBe(explanation);
    expect(verdictOn(await leafOf(between, [serverAuth]), [between]).message).toBe(
      `CN=Between, O=Test: ${explanation}`,
    );
    expect(verdictOn(await leafOf(between, [serverAuth]), []).message).toBe(
      'The issuer certificate "CN=Between, O=Test" was not found.',
    );
  });
});
