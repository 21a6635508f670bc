// NIST's Public Key Interoperability Test Suite, sections 4.1 to 4.16: certificates, CRLs and verdicts for path
// validation. The suite is not part of this repository. It is read from Debian's python3-cryptography-vectors, or from
// the directory PKITS_DATA with its subdirectories certs and crls.
import { describe, expect, it } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPkiError } from '../errors.ts';
import { nodeCrypto } from '../node/index.ts';
import { OID } from '../oids.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { parseCrl } from '../crl/crl.ts';
import { indexedCrl, type IndexedCrl } from '../crl/entry-index.ts';
import { buildValidPaths, type BuildOptions } from './build.ts';
import { createPathRevocation } from './revocation.ts';
import { validatePath, type PathOptions } from './validate.ts';

const DEBIAN = '/usr/lib/python3/dist-packages/cryptography_vectors/x509/PKITS_data';
const folder = process.env['PKITS_DATA'] ?? DEBIAN;
const isThere = existsSync(join(folder, 'certs'));

/** Verdicts that differ from NIST's, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  ValidDSAParameterInheritanceTest5:
    'A DSA key without parameters of its own unreadable; nobody issues such keys any more.',
};

interface PolicyCase {
  readonly name: string;
  readonly accept?: readonly number[];
  readonly explicit?: true;
  readonly inhibitMapping?: true;
  readonly inhibitAny?: true;
  /** Policies of the valid path by their last arc, `any`, or `undefined` if the path is not valid. */
  readonly expected: string | undefined;
}

/** Sections 4.8 to 4.12, in the suite's order: file, then settings and result. */
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

function readFolder<Parsed>(name: string, parse: (der: Uint8Array) => Parsed): Map<string, Parsed> {
  const parsed = new Map<string, Parsed>();
  if (!isThere) return parsed;
  for (const file of readdirSync(join(folder, name))) {
    try {
      parsed.set(file.replace(/\.c..$/, ''), parse(readFileSync(join(folder, name, file))));
    } catch (error) {
      if (!isPkiError(error)) throw error; // Rejection by the parser is also a result.
      parsed.delete(file);
    }
  }
  return parsed;
}

const certificates = readFolder('certs', parseCertificate);
const crls = [...readFolder('crls', (der) => indexedCrl(parseCrl(der))).values()];
const anchor = certificates.get('TrustAnchorRootCertificate');
const candidates = [...certificates.values()].map((certificate) => ({
  certificate,
  isAnchor: certificate === anchor,
}));
const NOW_MS = Date.UTC(2026, 0, 1);

/** The suite dates from 2010; its DSA certificates use SHA-1. */
const settingsOf = (name: string): PathOptions & Pick<BuildOptions, 'candidates'> => ({
  nowMs: NOW_MS,
  verify: nodeCrypto.verify,
  acceptsWeakDigests: name.includes('DSA'),
  candidates,
});

/** Returns the policies of the first valid and unrevoked path, or undefined if there is none. */
function outcome(name: string, options: Partial<PathOptions> = {}): string | undefined {
  const target = certificates.get(`${name}EE`);
  if (target === undefined) return undefined;
  const settings = { ...settingsOf(name), ...options };
  const revocation = createPathRevocation({ ...settingsOf(name), crlsFor: (): readonly IndexedCrl[] => crls });
  for (const issuers of buildValidPaths(target, { ...settings, limit: 8 })) {
    const chain = [target, ...issuers.map(({ certificate }) => certificate)];
    const isGood = chain.slice(0, -1).every((_, index) => revocation.statusOf(chain, index).status === 'good');
    if (!isGood) continue;
    return validatePath(chain, settings)
      .policies.map((oid) => (oid === OID.anyPolicy ? 'any' : (oid.split('.').at(-1) ?? '')))
      .sort()
      .join('');
  }
  return undefined;
}

/** Names of tests without special settings: expected to be valid if the suite calls them valid. */
const PLAIN_CASES = [
  'ValidCertificatePathTest1',
  ...(isThere ? readdirSync(join(folder, 'certs')) : [])
    .filter((file) => /^(?:Valid|Invalid).*EE\.crt$/.test(file))
    .map((file) => file.replace('EE.crt', ''))
    .filter((name) => !POLICY_CASES.some((test) => test.name === name)),
];
const policyOid = (arc: number): string => `2.16.840.1.101.3.2.1.48.${arc}`;

describe.skipIf(!isThere)(`PKITS${isThere ? '' : ` (skipped: it is not in ${folder})`}`, () => {
  it('is complete: 224 tests, some with multiple settings, and all CRLs except one that is not a signed CRL', () => {
    expect(PLAIN_CASES.length + POLICY_CASES.length).toBe(247);
    expect(crls).toHaveLength(172);
  });

  it.each(PLAIN_CASES)('%s', (name) => {
    const isValid = name.startsWith('Valid') && DIFFERENT[name] === undefined;
    expect(outcome(name) !== undefined).toBe(isValid);
  });

  it.each(POLICY_CASES)('processes policies as specified by NIST: $name $accept $explicit', (test) => {
    const { accept, explicit = false, inhibitMapping = false, inhibitAny = false } = test;
    const actual = outcome(test.name, {
      ...(accept && { acceptedPolicies: accept.map(policyOid) }),
      requireExplicitPolicy: explicit,
      inhibitPolicyMapping: inhibitMapping,
      inhibitAnyPolicy: inhibitAny,
    });
    expect(actual).toBe(test.expected);
  });
});
