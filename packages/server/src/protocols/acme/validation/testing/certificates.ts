// Certificates for tls-alpn-01, in which a test can make any part wrong.
import { createHash } from 'node:crypto';
import {
  acmeIdentifierExtension,
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  ipAddressName,
  parseIpAddress,
  parseNameText,
  parsePublicKey,
  subjectAltNameExtension,
  writePem,
  type ExtensionInput,
} from '@signetry/pki';
import { exportPrivateKey, generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import { KEY_AUTHORIZATION, NAME } from './targets.ts';

export interface ChallengeCertificateOptions {
  readonly names?: readonly string[];
  readonly keyAuthorization?: string;
  /** Replaces the acmeIdentifier extension; `undefined` omits it. */
  readonly proof?: ExtensionInput | undefined;
  /** Name of a different issuer; the certificate is still signed with its own key. */
  readonly issuer?: string;
  /** Signs with a key other than the certificate's. */
  readonly isForeignSigned?: boolean;
}

export interface ChallengeCertificate {
  readonly der: Uint8Array;
  readonly cert: string;
  readonly key: string;
}

let keys: Promise<readonly [KeyPair, KeyPair]> | undefined;
const testKeys = () => (keys ??= Promise.all([generateKeyPair('P-256'), generateKeyPair('P-256')]));

export const proofOf = (keyAuthorization: string = KEY_AUTHORIZATION): ExtensionInput =>
  acmeIdentifierExtension(createHash('sha256').update(keyAuthorization).digest());

/** Creates the correct certificate for `NAME` and `KEY_AUTHORIZATION`, modified by the options. */
export async function challengeCertificate(options: ChallengeCertificateOptions = {}): Promise<ChallengeCertificate> {
  const [own, other] = await testKeys();
  const { names = [NAME] } = options;
  const proof = 'proof' in options ? options.proof : proofOf(options.keyAuthorization);
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(own.spki));
  const altNames = names.map((name) =>
    parseIpAddress(name) ? ipAddressName(name) : ({ kind: 'dNSName', value: name } as const),
  );
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: buildName(parseNameText(options.issuer ?? 'CN=challenge')),
    subject: buildName(parseNameText('CN=challenge')),
    notBeforeMs: Date.UTC(2026, 0, 1),
    notAfterMs: Date.UTC(2126, 0, 1),
    spki: own.spki,
    extensions: [...(altNames.length > 0 ? [subjectAltNameExtension(altNames)] : []), ...(proof ? [proof] : [])],
  });
  const signer = options.isForeignSigned ? other : own;
  const signature = nodeCrypto.sign(signer.privateKey, { algorithm, data: tbs });
  const der = assembleCertificate(tbs, { algorithm, signature });
  return { der, cert: writePem('CERTIFICATE', der), key: writePem('PRIVATE KEY', exportPrivateKey(own.privateKey)) };
}
