// Certificate Transparency timestamps (RFC 6962) in readable form.
import { group, hexOf, instant, plain, type ReadableValue } from './value.ts';
import { readTimestampList } from '../x509/certificate-transparency.ts';

/** TLS 1.2 hash algorithms (RFC 5246 §7.4.1.4.1), by number. */
const HASHES = ['none', 'MD5', 'SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'];
const SIGNATURES = ['anonymous', 'RSA', 'DSA', 'ECDSA'];

export const readableTimestamps = (value: Uint8Array): ReadableValue[] =>
  readTimestampList(value).map((timestamp) => {
    if (!('logId' in timestamp))
      return group('Timestamp', [
        plain('Version', `${timestamp.version + 1} (unknown)`),
        hexOf('Bytes', timestamp.octets),
      ]);
    const { version, logId, timestampMs, extensions, hashAlgorithm, signatureAlgorithm, signature } = timestamp;
    const signer = SIGNATURES[signatureAlgorithm] ?? `signature algorithm ${signatureAlgorithm}`;
    return group('Timestamp', [
      plain('Version', String(version + 1)),
      hexOf('Log', logId),
      instant('Time', timestampMs),
      ...(extensions.length > 0 ? [hexOf('Extensions', extensions)] : []),
      plain('Algorithm', `${signer} with ${HASHES[hashAlgorithm] ?? `hash algorithm ${hashAlgorithm}`}`),
      hexOf('Signature', signature),
    ]);
  });
