// Certificates for tests: real keys, real signatures, and faults on request.
import {
  assembleCertificate,
  assembleCertificationRequest,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildCertificationRequestInfo,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  extKeyUsageExtension,
  fromHex,
  generateSerialNumber,
  keyIdentifier,
  keyUsageExtension,
  OID,
  parsePublicKey,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  writePem,
  type ExtensionInput,
  type Name,
  type NameAttributeInput,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';

export interface TestCertificate {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly base64: string;
  readonly name: Name;
  readonly keys: KeyPair;
}

export interface CertificateSpec {
  /** Replaces the name that is built from the common name. */
  readonly name?: Name;
  readonly issuer?: TestCertificate;
  readonly ca?: boolean;
  readonly pathLength?: number;
  readonly keys?: KeyPair;
  /** Signing key. If it is not the issuer's key, the signature is invalid. */
  readonly signer?: KeyPair;
  readonly dnsNames?: readonly string[];
  /** Additional subject attributes besides organization and common name. */
  readonly attributes?: readonly NameAttributeInput[];
  /** Applies to end entities only. */
  readonly extendedKeyUsage?: readonly string[];
  readonly keyUsage?: Parameters<typeof keyUsageExtension>[0];
  readonly serialNumber?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly extensions?: readonly ExtensionInput[];
  /** Changes the TBS bytes before they are signed. */
  readonly change?: (tbs: Uint8Array) => Uint8Array;
  /** Replaces all default extensions. */
  readonly only?: readonly ExtensionInput[];
}

const DAY_MS = 86_400_000;

/** Issues a certificate; without an issuer, it is self-signed. */
export async function makeCertificate(commonName: string, wish: CertificateSpec = {}): Promise<TestCertificate> {
  const keys = wish.keys ?? (await generateKeyPair('P-256'));
  const name =
    wish.name ??
    buildName([{ type: 'O', value: 'Test' }, ...(wish.attributes ?? []), { type: 'CN', value: commonName }]);
  const signer = wish.signer ?? wish.issuer?.keys ?? keys;
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(signer.spki));
  const issuerKey = parsePublicKey((wish.issuer?.keys ?? keys).spki);
  const usage = wish.keyUsage ?? (wish.ca ? ['keyCertSign', 'cRLSign'] : ['digitalSignature']);
  const built = buildTbsCertificate({
    serialNumber: wish.serialNumber ? fromHex(wish.serialNumber) : generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: wish.issuer?.name ?? name,
    subject: name,
    notBeforeMs: (wish.notBefore ?? new Date(Date.now() - DAY_MS)).getTime(),
    notAfterMs: (wish.notAfter ?? new Date(Date.now() + 365 * DAY_MS)).getTime(),
    spki: keys.spki,
    extensions: wish.only ?? [
      ...(wish.ca
        ? [
            basicConstraintsExtension({
              ca: true,
              ...(wish.pathLength === undefined ? {} : { pathLength: wish.pathLength }),
            }),
          ]
        : []),
      keyUsageExtension(usage),
      ...(wish.ca ? [] : [extKeyUsageExtension(wish.extendedKeyUsage ?? [OID.serverAuth])]),
      subjectKeyIdentifierExtension(keyIdentifier(parsePublicKey(keys.spki), nodeCrypto.digest)),
      authorityKeyIdentifierExtension(keyIdentifier(issuerKey, nodeCrypto.digest)),
      ...(wish.dnsNames
        ? [subjectAltNameExtension(wish.dnsNames.map((value) => ({ kind: 'dNSName', value }) as const))]
        : []),
      ...(wish.extensions ?? []),
    ],
  });
  const tbs = wish.change?.(built) ?? built;
  const signature = await nodeCrypto.signAsync(signer.privateKey, { algorithm, data: tbs });
  const der = assembleCertificate(tbs, { algorithm, signature });
  return { der, pem: writePem('CERTIFICATE', der), base64: Buffer.from(der).toString('base64'), name, keys };
}

export const makeRoot = (commonName: string, wish: CertificateSpec = {}) =>
  makeCertificate(commonName, { ca: true, ...wish });

/** PKCS#10 in PEM. */
export async function makeRequest(
  commonName: string,
  keys: KeyPair,
  attributes: CertificateSpec['attributes'] = [],
): Promise<string> {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const subject = buildName([{ type: 'O', value: 'Test' }, ...attributes, { type: 'CN', value: commonName }]);
  const info = buildCertificationRequestInfo({ subject, spki: keys.spki });
  const signature = await nodeCrypto.signAsync(keys.privateKey, { algorithm, data: info });
  return writePem('CERTIFICATE REQUEST', assembleCertificationRequest(info, { algorithm, signature }));
}
