// Generates a key and its CSR in the browser. The private key is never sent; it leaves the page only as a file.
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  hostNameForm,
  ipAddressName,
  parseIpAddress,
  signatureAlgorithm,
  OID,
  parseCertificate,
  subjectAltNameExtension,
  writePem,
  type ExtensionInput,
  type GeneralName,
  type Name,
} from '@signetry/pki';
import { copyBytes, signWith, webKeyTypes, type WebKeyName } from './web-signatures.ts';

export interface GeneratedKey {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  /** PKCS#10 in PEM. */
  readonly request: string;
}

/** Contents of the CSR except the key. */
export interface RequestContents {
  readonly subject: Name | Uint8Array;
  readonly extensions: readonly ExtensionInput[];
}

/** Returns the contents for DNS names and IP addresses; the first name is also the common name. */
export const contentsFromNames = (names: readonly string[]): RequestContents => ({
  subject: buildName([{ type: 'CN', value: names[0] ?? '' }]),
  extensions: [subjectAltNameExtension(names.map(generalName))],
});

/** Returns the subject and SANs of a certificate, byte for byte. */
export function contentsFromCertificate(certificateDer: Uint8Array): RequestContents {
  const { subjectDer, extensions } = parseCertificate(certificateDer);
  return { subject: subjectDer, extensions: extensions.filter(({ oid }) => oid === OID.subjectAltName) };
}

/**
 * Returns whether the page is a secure context (loaded over HTTPS or from the same machine), which Web Cryptography
 * requires.
 */
export const canGenerateKeys = (): boolean => globalThis.isSecureContext;

export async function generateKey(keyName: WebKeyName, wanted: RequestContents): Promise<GeneratedKey> {
  const type = webKeyTypes[keyName];
  // For these usages, the result is always a key pair.
  const pair = (await crypto.subtle.generateKey(type.generate, true, ['sign', 'verify'])) as CryptoKeyPair;
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
  const info = buildCertificationRequestInfo({ ...wanted, spki });
  const signature = await signWith(type, pair.privateKey, copyBytes(info));
  const der = assembleCertificationRequest(info, { algorithm: signatureAlgorithm(type.signature), signature });
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  return { privateKey: writePem('PRIVATE KEY', pkcs8), request: writePem('CERTIFICATE REQUEST', der) };
}

const generalName = (name: string): GeneralName =>
  parseIpAddress(name) === undefined ? { kind: 'dNSName', value: name } : ipAddressName(name);

/** Returns a host name in ASCII (RFC 5890) without a trailing dot; other input is returned unchanged. */
export function asciiName(name: string): string {
  const form = formOf(name);
  return 'name' in form ? form.name : name;
}

/** Returns the error message for a requested name, or undefined. */
export function problemOfName(name: string): string | undefined {
  if (parseIpAddress(name) !== undefined || 'name' in formOf(name)) return undefined;
  return `${name} is neither a host name nor an IP address.`;
}

/** The RA profile decides about underscores. */
const formOf = (name: string) => hostNameForm(name, { allowUnderscores: true });
