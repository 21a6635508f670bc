// NIST's Public Key Interoperability Test Suite: certificates and verdicts for path validation. The suite is not part
// of this repository; set PKITS_CERTS to its folder of certificates (Debian: python3-cryptography-vectors,
// x509/PKITS_data/certs).
import { describe, expect, it } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equalNames } from '../names.ts';
import { isPkiError } from '../errors.ts';
import { nodeCrypto } from '../node/index.ts';
import { OID } from '../oids.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { buildPath } from './build.ts';
import { validatePath, type PathOptions } from './validate.ts';

const folder = process.env['PKITS_CERTS'] ?? '';
const isThere = folder !== '' && existsSync(folder);

/** Tests whose verdict depends on CRLs, and one on inherited DSA parameters, which nobody issues any more. */
const OUT_OF_SCOPE =
  /revoked|crl|distributionPoint|onlyContains|onlySomeReasons|IDPwith|WrongCRL|NegativeSerialNumberTest15|LongSerialNumberTest18|SeparateCertificateandCRL|SelfIssuedOldWithNewTest2|SelfIssuedNewWithOldTest5|DSAParameterInheritance/i;

interface PolicyCase {
  readonly name: string;
  readonly accept?: readonly number[];
  readonly explicit?: true;
  readonly inhibitMapping?: true;
  readonly inhibitAny?: true;
  /** Policies of the valid path by their last arc, `any`, or `undefined` when the path is not valid. */
  readonly expected: string | undefined;
}

/** Sections 4.8 to 4.12, in the suite's order: file, then settings and outcome. */
const POLICY_CASES: readonly PolicyCase[] = [
  { name: 'ValidCertificatePathTest1', explicit: true, expected: '1' },
  { name: 'ValidCertificatePathTest1', accept: [1], explicit: true, expected: '1' },
  { name: 'ValidCertificatePathTest1', accept: [2], explicit: true, expected: undefined },
  { name: 'ValidCertificatePathTest1', accept: [1, 2], explicit: true, expected: '1' },
  { name: 'AllCertificatesNoPoliciesTest2', expected: '' },
  { name: 'AllCertificatesNoPoliciesTest2', explicit: true, expected: undefined },
  { name: 'DifferentPoliciesTest3', expected: '' },
  { name: 'DifferentPoliciesTest3', explicit: true, expected: undefined },
  { name: 'DifferentPoliciesTest3', accept: [1, 2], explicit: true, expected: undefined },
  ...[4, 5, 7, 8, 9, 12].map((test) => ({ name: `DifferentPoliciesTest${test}`, expected: undefined })),
  { name: 'OverlappingPoliciesTest6', expected: '1' },
  { name: 'OverlappingPoliciesTest6', accept: [1], expected: '1' },
  { name: 'OverlappingPoliciesTest6', accept: [2], expected: undefined },
  { name: 'AllCertificatesSamePoliciesTest10', accept: [1], expected: '1' },
  { name: 'AllCertificatesSamePoliciesTest10', accept: [2], expected: '2' },
  { name: 'AllCertificatesSamePoliciesTest10', expected: '12' },
  { name: 'AllCertificatesanyPolicyTest11', expected: 'any' },
  { name: 'AllCertificatesanyPolicyTest11', accept: [1], expected: '1' },
  ...[1, 2, 3].map((policy) => ({
    name: 'AllCertificatesSamePoliciesTest13',
    accept: [policy],
    expected: String(policy),
  })),
  { name: 'AnyPolicyTest14', accept: [1], expected: '1' },
  { name: 'AnyPolicyTest14', accept: [2], expected: undefined },
  ...[15, 16, 17, 19].map((test) => ({ name: `UserNoticeQualifierTest${test}`, expected: '1' })),
  { name: 'UserNoticeQualifierTest18', accept: [1], expected: '1' },
  { name: 'UserNoticeQualifierTest18', accept: [2], expected: '2' },
  { name: 'CPSPointerQualifierTest20', explicit: true, expected: '1' },
  { name: 'ValidrequireExplicitPolicyTest1', expected: '' },
  { name: 'ValidrequireExplicitPolicyTest2', expected: '' },
  { name: 'InvalidrequireExplicitPolicyTest3', expected: undefined },
  { name: 'ValidrequireExplicitPolicyTest4', expected: '1' },
  { name: 'InvalidrequireExplicitPolicyTest5', expected: undefined },
  { name: 'ValidSelfIssuedrequireExplicitPolicyTest6', expected: '' },
  { name: 'InvalidSelfIssuedrequireExplicitPolicyTest7', expected: undefined },
  { name: 'InvalidSelfIssuedrequireExplicitPolicyTest8', expected: undefined },
  { name: 'ValidPolicyMappingTest1', accept: [1], expected: '1' },
  { name: 'ValidPolicyMappingTest1', accept: [2], expected: undefined },
  { name: 'ValidPolicyMappingTest1', inhibitMapping: true, expected: undefined },
  { name: 'InvalidPolicyMappingTest2', expected: undefined },
  { name: 'InvalidPolicyMappingTest2', inhibitMapping: true, expected: undefined },
  { name: 'ValidPolicyMappingTest3', accept: [1], expected: undefined },
  { name: 'ValidPolicyMappingTest3', accept: [2], expected: '2' },
  { name: 'InvalidPolicyMappingTest4', expected: undefined },
  { name: 'ValidPolicyMappingTest5', accept: [1], expected: '1' },
  { name: 'ValidPolicyMappingTest5', accept: [6], expected: undefined },
  { name: 'ValidPolicyMappingTest6', accept: [1], expected: '1' },
  { name: 'ValidPolicyMappingTest6', accept: [6], expected: undefined },
  { name: 'InvalidMappingFromanyPolicyTest7', expected: undefined },
  { name: 'InvalidMappingToanyPolicyTest8', expected: undefined },
  { name: 'ValidPolicyMappingTest9', expected: '1' },
  { name: 'InvalidPolicyMappingTest10', expected: undefined },
  { name: 'ValidPolicyMappingTest11', expected: '1' },
  { name: 'ValidPolicyMappingTest12', accept: [1], expected: '1' },
  { name: 'ValidPolicyMappingTest12', accept: [2], expected: '2' },
  { name: 'ValidPolicyMappingTest13', expected: '1' },
  { name: 'ValidPolicyMappingTest14', expected: '1' },
  { name: 'InvalidinhibitPolicyMappingTest1', expected: undefined },
  { name: 'ValidinhibitPolicyMappingTest2', expected: '1' },
  { name: 'InvalidinhibitPolicyMappingTest3', expected: undefined },
  { name: 'ValidinhibitPolicyMappingTest4', expected: '2' },
  { name: 'InvalidinhibitPolicyMappingTest5', expected: undefined },
  { name: 'InvalidinhibitPolicyMappingTest6', expected: undefined },
  { name: 'ValidSelfIssuedinhibitPolicyMappingTest7', expected: '1' },
  ...[8, 9, 10, 11].map((test) => ({
    name: `InvalidSelfIssuedinhibitPolicyMappingTest${test}`,
    expected: undefined,
  })),
  { name: 'InvalidinhibitAnyPolicyTest1', expected: undefined },
  { name: 'ValidinhibitAnyPolicyTest2', expected: '1' },
  { name: 'inhibitAnyPolicyTest3', expected: '1' },
  { name: 'inhibitAnyPolicyTest3', inhibitAny: true, expected: undefined },
  ...[4, 5, 6].map((test) => ({ name: `InvalidinhibitAnyPolicyTest${test}`, expected: undefined })),
  { name: 'ValidSelfIssuedinhibitAnyPolicyTest7', expected: '1' },
  { name: 'InvalidSelfIssuedinhibitAnyPolicyTest8', expected: undefined },
  { name: 'ValidSelfIssuedinhibitAnyPolicyTest9', expected: '1' },
  { name: 'InvalidSelfIssuedinhibitAnyPolicyTest10', expected: undefined },
];

function readSuite(): Map<string, Certificate> {
  const certificates = new Map<string, Certificate>();
  if (!isThere) return certificates;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.crt'))) {
    try {
      certificates.set(file.replace('.crt', ''), parseCertificate(readFileSync(join(folder, file))));
    } catch (error) {
      if (!isPkiError(error)) throw error; // two certificates have malformed signatures on purpose
    }
  }
  return certificates;
}

const suite = readSuite();
const anchor = suite.get('TrustAnchorRootCertificate');

/** Every chain of matching names from a certificate to the anchor. */
function pathsOf(certificate: Certificate, below: readonly Certificate[] = []): Certificate[][] {
  if (certificate === anchor) return [[certificate]];
  if (below.length > 8) return [];
  return [...suite.values()]
    .filter((issuer) => issuer !== certificate && !below.includes(issuer))
    .filter((issuer) => equalNames(issuer.subject, certificate.issuer))
    .flatMap((issuer) => pathsOf(issuer, [...below, certificate]).map((path) => [certificate].concat(path)));
}

/** The suite is from 2010: its DSA certificates have SHA-1. */
const settingsOf = (name: string): PathOptions => ({
  nowMs: Date.UTC(2026, 0, 1),
  verify: nodeCrypto.verify,
  acceptsWeakDigests: name.includes('DSA'),
});

/** Policies of the first valid path, or `undefined` when there is none. */
function outcome(name: string, options: Partial<PathOptions> = {}): string | undefined {
  const target = suite.get(name);
  if (target === undefined) return undefined;
  for (const path of pathsOf(target)) {
    const result = validatePath(path, { ...settingsOf(name), ...options });
    if (!result.isValid) continue;
    return result.policies
      .map((oid) => (oid === OID.anyPolicy ? 'any' : (oid.split('.').at(-1) ?? '')))
      .sort()
      .join('');
  }
  return undefined;
}

const verdicts = [...suite.keys()].filter(
  (name) => /^(?:Valid|Invalid).*EE$/.test(name) && !/policy/i.test(name) && !OUT_OF_SCOPE.test(name),
);
const policyOid = (arc: number): string => `2.16.840.1.101.3.2.1.48.${arc}`;

describe.skipIf(!isThere)(`PKITS${isThere ? '' : ' (skipped: PKITS_CERTS is not set)'}`, () => {
  it('judges signatures, times, names, constraints and usages as NIST specifies', () => {
    const wrong = verdicts.filter((name) => (outcome(name) !== undefined) !== name.startsWith('Valid'));
    expect(wrong).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(80);
  });

  it('has the same verdicts when the path is built from all certificates', () => {
    const candidates = [...suite.values()]
      .filter(({ isCa }) => isCa)
      .map((certificate) => ({ certificate, isAnchor: certificate === anchor }));
    const isValid = (name: string): boolean => {
      const target = suite.get(name);
      return target !== undefined && buildPath(target, { ...settingsOf(name), candidates }).isValid;
    };
    expect(candidates.length).toBeGreaterThan(150);
    expect(verdicts.filter((name) => isValid(name) !== name.startsWith('Valid'))).toEqual([]);
  });

  it.each(POLICY_CASES)('judges policies as NIST specifies: $name $accept $explicit', (test) => {
    const { accept, explicit = false, inhibitMapping = false, inhibitAny = false } = test;
    const actual = outcome(`${test.name}EE`, {
      ...(accept && { acceptedPolicies: accept.map(policyOid) }),
      requireExplicitPolicy: explicit,
      inhibitPolicyMapping: inhibitMapping,
      inhibitAnyPolicy: inhibitAny,
    });
    expect(actual).toBe(test.expected);
  });
});
