// For tests: a standalone CA with a key, a certificate, and the data that it signs.
import {
  assembleCertificate,
  assembleCrl,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  buildTbsCertList,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  keyIdentifier,
  keyUsageExtension,
  parseCertificate,
  parsePublicKey,
  subjectKeyIdentifierExtension,
  type Certificate,
  type ExtensionInput,
  type Name,
} from '@signetry/pki';
import { nodeCrypto, type KeyPair } from '@signetry/pki/node';
import { newUuid } from '../../../kernel/ids.ts';

const HOUR_MS = 3_600_000;
const TEN_YEARS_MS = 3650 * 24 * HOUR_MS;

export interface TestCa {
  readonly keys: KeyPair;
  readonly certificate: Certificate;
  readonly uuid: string;
}

/** Creates a self-signed CA. */
export async function createCa(name: string, { keys, now }: { keys: KeyPair; now: Date }): Promise<TestCa> {
  const subject = buildName([{ type: 'CN', value: name }]);
  const certificate = await certify(keys, {
    subject,
    issuer: subject,
    spki: keys.spki,
    notBeforeMs: now.getTime() - HOUR_MS,
    notAfterMs: now.getTime() + TEN_YEARS_MS,
    extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['keyCertSign', 'cRLSign'])],
  });
  return { keys, certificate, uuid: newUuid() };
}

interface Subject {
  readonly subject: Name;
  readonly issuer: Name;
  readonly spki: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly ExtensionInput[];
}

export async function certify(signer: KeyPair, facts: Subject): Promise<Certificate> {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(signer.spki));
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: facts.issuer,
    subject: facts.subject,
    notBeforeMs: facts.notBeforeMs,
    notAfterMs: facts.notAfterMs,
    spki: facts.spki,
    extensions: [
      ...facts.extensions,
      subjectKeyIdentifierExtension(identifierOf(facts.spki)),
      authorityKeyIdentifierExtension(identifierOf(signer.spki)),
    ],
  });
  const signature = await nodeCrypto.signAsync(signer.privateKey, { algorithm, data: tbs });
  return parseCertificate(assembleCertificate(tbs, { algorithm, signature }));
}

/** Contents of a CRL except its issuer and signature. */
type ListFacts = Omit<
  Parameters<typeof buildTbsCertList>[0],
  'issuer' | 'signatureAlgorithm' | 'authorityKeyIdentifier'
>;

export async function signList({ keys, certificate }: TestCa, facts: ListFacts): Promise<Uint8Array> {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const tbs = buildTbsCertList({
    ...facts,
    signatureAlgorithm: algorithm,
    issuer: certificate.subject,
    authorityKeyIdentifier: identifierOf(keys.spki),
  });
  return assembleCrl(tbs, {
    algorithm,
    signature: await nodeCrypto.signAsync(keys.privateKey, { algorithm, data: tbs }),
  });
}

const identifierOf = (spki: Uint8Array) => keyIdentifier(parsePublicKey(spki), nodeCrypto.digest);
