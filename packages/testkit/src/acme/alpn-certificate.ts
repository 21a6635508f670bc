// Certificate for tls-alpn-01 (RFC 8737 §3, RFC 8738 §6): self-signed, with one name and the digest of the key
// authorization. Every part of it can be falsified.
import {
  acmeIdentifierExtension,
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  ipAddressName,
  parseIpAddress,
  parsePublicKey,
  subjectAltNameExtension,
  writePem,
  type ExtensionInput,
  type GeneralName,
} from '@signetry/pki';
import { exportPrivateKey, nodeCrypto, type KeyPair } from '@signetry/pki/node';

/** ALPN name of the protocol (RFC 8737 §6.2). */
export const ACME_TLS_PROTOCOL = 'acme-tls/1';

export interface AlpnCertificateInput {
  /** DNS name or IP address to prove control of. */
  readonly name: string;
  readonly keyAuthorization: string;
  readonly keys: KeyPair;
}

export interface AlpnCertificateOptions {
  /** SANs instead of the single one; no extension if empty. */
  readonly names?: readonly string[];
  /** Bytes in acmeIdentifier instead of the digest. */
  readonly identifier?: Uint8Array;
  /** Whether acmeIdentifier is critical, as required; `absent` omits it. */
  readonly identifierIs?: 'critical' | 'not critical' | 'absent';
  readonly extensions?: readonly ExtensionInput[];
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
}

const DAY_MS = 86_400_000;

/** Returns certificate and key in PEM, as Node's TLS module expects them. */
export function alpnCertificate(
  { name, keyAuthorization, keys }: AlpnCertificateInput,
  options: AlpnCertificateOptions = {},
): { readonly cert: string; readonly key: string } {
  const names = options.names ?? [name];
  const { identifierIs = 'critical', notBeforeMs = Date.now() - DAY_MS } = options;
  const digest = options.identifier ?? nodeCrypto.sha256(Buffer.from(keyAuthorization));
  const identifier = { ...acmeIdentifierExtension(digest), critical: identifierIs === 'critical' };
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const subject = buildName([{ type: 'CN', value: 'tls-alpn-01' }]);
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: subject,
    subject,
    notBeforeMs,
    notAfterMs: options.notAfterMs ?? notBeforeMs + 7 * DAY_MS,
    spki: keys.spki,
    extensions: [
      ...(names.length > 0 ? [subjectAltNameExtension(names.map(altName))] : []),
      ...(identifierIs === 'absent' ? [] : [identifier]),
      ...(options.extensions ?? []),
    ],
  });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: tbs });
  return {
    cert: writePem('CERTIFICATE', assembleCertificate(tbs, { algorithm, signature })),
    key: writePem('PRIVATE KEY', exportPrivateKey(keys.privateKey)),
  };
}

/** Returns a SAN. Invalid DNS names are written unchanged, since the server must detect them. */
export function altName(value: string): GeneralName {
  return parseIpAddress(value) === undefined ? { kind: 'dNSName', value } : ipAddressName(value);
}

/**
 * Returns the server name that a validating server sends: a DNS name, or the reverse DNS name of an IP address (RFC
 * 8738 §6).
 */
export function serverNameOf(name: string): string {
  const octets = parseIpAddress(name);
  if (octets === undefined) return name.toLowerCase();
  if (octets.length === 4) return `${[...octets].reverse().join('.')}.in-addr.arpa`;
  return `${[...octets.toHex()].reverse().join('.')}.ip6.arpa`;
}
