// Message protection (RFC 9810 §5.1.3): detection of its kind, and verification. Path validation and server policy
// decide whether to trust the signer.
import { equalBytes } from '../bytes.ts';
import { equalNames } from '../names.ts';
import {
  deriveMac,
  equalInConstantTime,
  MESSAGE_MACS,
  passwordMac,
  type DerivedMac,
  type MacInput,
} from '../crmf/password-mac.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { messageSignatureAlgorithm } from '../crmf/message-signature.ts';
import { parseAlgorithm } from '../algorithms.ts';
import { PkiError } from '../errors.ts';
import type { PkiMessage } from './message.ts';
import type { VerifySignature } from '../crypto.ts';

export type ProtectionKind = 'none' | 'signature' | keyof typeof MESSAGE_MACS;

/**
 * Returns how a message is protected; unknown algorithms are treated as signatures. Throws `PkiError` `bad-value` if
 * only the protection or only its algorithm is present.
 */
export function protectionKind({ header, protection }: PkiMessage): ProtectionKind {
  const { protectionAlgorithm } = header;
  if ((protectionAlgorithm === undefined) !== (protection === undefined))
    throw new PkiError('bad-value', 'A CMP message must contain both protection and protectionAlg, or neither.');
  if (protectionAlgorithm === undefined) return 'none';
  // `Object.keys` does not preserve the key type, hence the cast.
  const names = Object.keys(MESSAGE_MACS) as (keyof typeof MESSAGE_MACS)[];
  return names.find((name) => MESSAGE_MACS[name] === protectionAlgorithm.oid) ?? 'signature';
}

/**
 * Verifies a message's MAC and returns it with its derived key. Returns undefined if the MAC does not match, or if the
 * message is unprotected or signed. Throws `PkiError`: `unsupported-algorithm` (including for DHBasedMac and KEM-based
 * MAC), `bound-exceeded`, `DerError`.
 */
export async function openMacProtection(
  message: PkiMessage,
  options: Omit<MacInput, 'data'>,
): Promise<DerivedMac | undefined> {
  const kind = protectionKind(message);
  const { protection, protectedPart, header } = message;
  if (kind === 'none' || kind === 'signature' || !protection || !header.protectionAlgorithm) return undefined;
  const mac = await deriveMac(header.protectionAlgorithm, options);
  return equalInConstantTime(mac.over(protectedPart), protection) ? mac : undefined;
}

/** Returns whether a message's MAC is valid. Throws the same errors as `openMacProtection`. */
export async function verifyMacProtection(message: PkiMessage, options: Omit<MacInput, 'data'>): Promise<boolean> {
  return (await openMacProtection(message, options)) !== undefined;
}

/** Returns the MAC of an encoded protected part. `algorithm` must match the one in its header. */
export async function macProtection(
  protectedPart: Uint8Array,
  { algorithm, ...options }: Omit<MacInput, 'data'> & { readonly algorithm: Uint8Array },
): Promise<Uint8Array> {
  return await passwordMac(parseAlgorithm(algorithm), { ...options, data: protectedPart });
}

/**
 * Returns whether the message's signature verifies with this key; false for unprotected and MAC-protected messages.
 * Throws `PkiError` `unsupported-algorithm`.
 */
export function verifySignatureProtection(
  message: PkiMessage,
  { spki, verify }: { readonly spki: Uint8Array; readonly verify: VerifySignature },
): boolean {
  const { protection, protectedPart, header } = message;
  if (protectionKind(message) !== 'signature' || protection === undefined || !header.protectionAlgorithm) return false;
  const algorithm = messageSignatureAlgorithm(header.protectionAlgorithm);
  return verify(spki, { algorithm, data: protectedPart, signature: protection });
}

/**
 * Returns the certificate that a message claims to be signed with: the first extra certificate that matches the sender
 * and its key identifier (RFC 9483 §3.1, §3.3). Throws `DerError` if an earlier certificate is malformed.
 */
export function protectionCertificate({ header, extraCerts }: PkiMessage): Certificate | undefined {
  const { sender, senderKid } = header;
  for (const der of extraCerts) {
    const certificate = parseCertificate(der);
    const keyId = certificate.subjectKeyIdentifier;
    const isNamed = sender.kind === 'directoryName' && equalNames(sender.name, certificate.subject);
    if (isNamed && (!senderKid || !keyId || equalBytes(senderKid, keyId))) return certificate;
  }
  return undefined;
}
