// A CA outside the platform: for uploads, for connectors with their own responses, and for clients with their own
// certificates.
import {
  assembleCertificate,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  keyIdentifier,
  keyUsageExtension,
  parseNameText,
  parsePublicKey,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  type ExtensionInput,
  type Name,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';

const DAY_MS = 86_400_000;

export interface ExternalSubject {
  /** RFC 4514 text, or an encoded name from a CSR. */
  readonly subject: string | Name;
  readonly spki: Uint8Array;
  readonly dnsNames?: readonly string[];
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** Replaces the extensions that the CA adds by default. */
  readonly extensions?: readonly ExtensionInput[];
}

export interface ExternalAuthority {
  /** Self-signed CA certificate. */
  readonly der: Uint8Array;
  issue(subject: ExternalSubject): Uint8Array;
  /** Issues a CA certificate. */
  certify(subject: ExternalSubject): Uint8Array;
}

export async function createExternalAuthority(subject: string, keys?: KeyPair): Promise<ExternalAuthority> {
  const { privateKey, spki } = keys ?? (await generateKeyPair('P-256'));
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const issuer = buildName(parseNameText(subject));
  const keyIdOf = (key: Uint8Array): Uint8Array => keyIdentifier(parsePublicKey(key), nodeCrypto.digest);

  function sign(given: ExternalSubject, { ca }: { readonly ca: boolean }): Uint8Array {
    const tbs = buildTbsCertificate({
      serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
      signatureAlgorithm: algorithm,
      issuer,
      subject: typeof given.subject === 'string' ? buildName(parseNameText(given.subject)) : given.subject,
      notBeforeMs: given.notBeforeMs ?? Date.now() - DAY_MS,
      notAfterMs: given.notAfterMs ?? Date.now() + 30 * DAY_MS,
      spki: given.spki,
      extensions: given.extensions ?? [
        basicConstraintsExtension({ ca }),
        keyUsageExtension(ca ? ['keyCertSign', 'cRLSign'] : ['digitalSignature']),
        subjectKeyIdentifierExtension(keyIdOf(given.spki)),
        authorityKeyIdentifierExtension(keyIdOf(spki)),
        ...(given.dnsNames
          ? [subjectAltNameExtension(given.dnsNames.map((value) => ({ kind: 'dNSName', value })))]
          : []),
        ...(given.extensions ?? []),
      ],
    });
    return assembleCertificate(tbs, {
      algorithm,
      signature: nodeCrypto.sign(privateKey, { algorithm, data: tbs }),
    });
  }

  return {
    der: sign({ subject, spki }, { ca: true }),
    issue: (given) => sign(given, { ca: false }),
    certify: (given) => sign(given, { ca: true }),
  };
}
