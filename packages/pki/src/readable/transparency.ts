// Certificate Transparency timestamps (RFC 6962) in readable form.
import { groupValue, hexValue, timeValue, textValue, type ReadableValue } from './value.ts';
import { readTimestampList } from '../x509/certificate-transparency.ts';

/** TLS 1.2 hash algorithms (RFC 5246 §7.4.1.4.1), by number. */
const HASHES = ['none', 'MD5', 'SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'];
const SIGNATURES = ['anonymous', 'RSA', 'DSA', 'ECDSA'];

export const readableTimestamps = (value: Uint8Array): ReadableValue[] =>
  readTimestampList(value).map((timestamp) => {
    if (!('logId' in timestamp))
      return groupValue('Timestamp', [
        textValue('Version', `${timestamp.version + 1} (unknown)`),
        hexValue('Bytes', timestamp.octets),
      ]);
    const { version, logId, timestampMs, extensions, hashAlgorithm, signatureAlgorithm, signature } = timestamp;
    const signer = SIGNATURES[signatureAlgorithm] ?? `signature algorithm ${signatureAlgorithm}`;
    return groupValue('Timestamp', [
      textValue('Version', String(version + 1)),
      hexValue('Log', logId),
      timeValue('Time', timestampMs),
      ...(extensions.length > 0 ? [hexValue('Extensions', extensions)] : []),
      textValue('Algorithm', `${signer} with ${HASHES[hashAlgorithm] ?? `hash algorithm ${hashAlgorithm}`}`),
      hexValue('Signature', signature),
    ]);
  });
