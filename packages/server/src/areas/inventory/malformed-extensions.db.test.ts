// Goal: no malformed extension fails an operation on its certificate. Method: each extension that the platform knows,
// damaged in several ways, through every operation that reads a certificate.
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  lintCertificate,
  OID,
  parseCertificate,
  parsePublicKey,
  basicConstraintsExtension,
  keyUsageExtension,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../kernel/errors.ts';
import { makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from './testing/test-inventory.ts';

/** Values that are invalid for every extension, whatever its syntax. */
const DAMAGES = {
  empty: new Uint8Array(),
  'no encoding': Uint8Array.of(0xff, 0xff, 0xff),
  'cut off': Uint8Array.of(0x30, 0x10, 0x30, 0x0e, 0xa0),
  'of another type': Uint8Array.of(0x09, 0x01, 0x00),
  'followed by more': Uint8Array.of(0x30, 0x00, 0x05, 0x00),
} as const;

const EXTENSIONS = [
  OID.subjectDirectoryAttributes, OID.subjectKeyIdentifier, OID.keyUsage, OID.privateKeyUsagePeriod, OID.subjectAltName,
  OID.issuerAltName, OID.basicConstraints, OID.crlNumber, OID.nameConstraints, OID.crlDistributionPoints,
  OID.certificatePolicies, OID.policyMappings, OID.authorityKeyIdentifier, OID.policyConstraints, OID.extKeyUsage,
  OID.freshestCrl, OID.inhibitAnyPolicy, OID.noRevocationAvailable, OID.subjectAltPublicKeyInfo,
  OID.altSignatureAlgorithm, OID.altSignatureValue, OID.authorityInfoAccess, OID.qcStatements, OID.subjectInfoAccess,
  OID.tlsFeature, OID.acmeIdentifier, OID.ctPrecertificatePoison, OID.ctSctList, OID.cabfOrganizationIdentifier,
  OID.ntdsCaSecurity, OID.ocspNoCheck,
] as const; // prettier-ignore

let test: TestInventory;
let root: TestCertificate;
let keys: KeyPair;

beforeAll(async () => {
  test = await createTestInventory();
  root = await makeRoot('Root of malformed certificates');
  keys = await generateKeyPair('P-256');
  await test.trust(root.der);
  test.declareJobs();
  await test.platform.jobs.start();
  return async () => {
    await test.platform.jobs.stop();
    await test.stopWork();
  };
});

/** Returns a CA certificate below the root, with this extension. */
async function damaged(oid: string, value: Uint8Array): Promise<Uint8Array> {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(root.keys.spki));
  const usual = [basicConstraintsExtension({ ca: true }), keyUsageExtension(['keyCertSign', 'cRLSign'])];
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: root.name,
    subject: buildName([{ type: 'CN', value: `${oid} ${value.length}` }]),
    notBeforeMs: Date.now() - 1000,
    notAfterMs: Date.now() + 86_400_000,
    spki: keys.spki,
    extensions: [...usual.filter((each) => each.oid !== oid), { oid, critical: false, value }],
  });
  const signature = await nodeCrypto.signAsync(root.keys.privateKey, { algorithm, data: tbs });
  return assembleCertificate(tbs, { algorithm, signature });
}

const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');

describe('a malformed extension', () => {
  it('that specifies a revocation source causes a validation finding', async () => {
    for (const [oid, check] of [
      [OID.crlDistributionPoints, 'crl_verification'],
      [OID.freshestCrl, 'crl_verification'],
      [OID.authorityInfoAccess, 'ocsp_verification'],
    ] as const) {
      const uuid = await test.upload(await damaged(oid, DAMAGES['cut off']));
      const { validationChecks } = await test.inventory.validate(uuid, test.context);
      expect(validationChecks?.[check]).toMatchObject({
        status: 'failed',
        message: expect.stringMatching(/malformed/),
      });
    }
  });
});

describe.each(Object.entries(DAMAGES))('an extension that is %s', (_damage, value) => {
  it('does not prevent its certificate from being uploaded, displayed, validated, trusted or linted', async () => {
    const failed: string[] = [];
    for (const oid of EXTENSIONS) {
      const der = await damaged(oid, value);
      const uuid = await test.upload(der);
      const acts = {
        detail: () => test.inventory.detail(uuid, test.context),
        parsed: () => test.inventory.parsed(uuid),
        validate: () => test.inventory.validate(uuid, test.context),
        chain: () => test.inventory.chain(uuid, { withEndCertificate: true, context: test.context }),
        trust: () => test.inventory.update(uuid, { trustedCa: true }, test.context),
        validateTrusted: () => test.inventory.validate(uuid, test.context),
        lint: async () => lintCertificate(parseCertificate(der)),
      };
      for (const [name, act] of Object.entries(acts)) {
        try {
          await act();
        } catch (error) {
          if (!isAppError(error, 'rejected_by_rules')) failed.push(`${oid} ${name}: ${String(error)}`);
        }
      }
    }
    expect(failed).toEqual([]);
  });

  it('does not prevent other certificates from being imported or discovered', async () => {
    const imported = await Promise.all(EXTENSIONS.map((oid) => damaged(oid, value)));
    const report = await test.inventory.importMany(
      { files: imported.map((der) => ({ content: base64(der) })) },
      test.context,
    );
    expect(report).toMatchObject({ imported: EXTENSIONS.length, refusals: [] });
    const contents = await Promise.all(EXTENSIONS.map(async (oid) => base64(await damaged(oid, value))));
    const found = await test.inventory.discovered.read(contents, test.context);
    const how = { context: test.context, message: 'found', leavingOut: async () => new Set<string>() };
    const taken = await test.platform.database.transaction((tx) => test.inventory.discovered.take(tx, found, how));
    expect(taken.size).toBe(EXTENSIONS.length);
    const uuids = [...taken.values()].map((each) => ('uuid' in each ? each.uuid : ''));
    await test.inventory.completeImported(uuids);
    const [left] = await test.platform.database.query<{ count: number }>(
      'SELECT count(*) FROM certificate WHERE uuid = ANY($1) AND validated_at IS NULL',
      [uuids],
    );
    expect(left?.count).toBe(0);
  });
});
