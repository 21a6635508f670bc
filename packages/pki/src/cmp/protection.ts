// Protection of messages (RFC 9810 §5.1.3): which kind it is, and whether it is right. Whether its signer is to be
// trusted is for path validation and the server's policy.
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
 * How a message is protected; an algorithm that is not known counts as a signature. Throws `PkiError` `bad-value` when
 * only one of protection and its algorithm is there.
 */
export function protectionKind({ header, protection }: PkiMessage): ProtectionKind {
  const { protectionAlgorithm } = header;
  if ((protectionAlgorithm === undefined) !== (protection === undefined))
    throw new PkiError('bad-value', 'The CMP message has only one of a protection and its algorithm.');
  if (protectionAlgorithm === undefined) return 'none';
  const names = Object.keys(MESSAGE_MACS) as (keyof typeof MESSAGE_MACS)[]; // own keys of the constant
  return names.find((name) => MESSAGE_MACS[name] === protectionAlgorithm.oid) ?? 'signature';
}

/**
 * The MAC of a message with its key, where it is right; undefined where it is wrong, for a message without protection
 * and for one that is signed. Throws `PkiError`: `unsupported-algorithm` also for DHBasedMac and KEM-based MAC,
 * `bound-exceeded`, `DerError`.
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

/** Whether the MAC of a message is right. Throws as `openMacProtection`. */
export async function verifyMacProtection(message: PkiMessage, options: Omit<MacInput, 'data'>): Promise<boolean> {
  return (await openMacProtection(message, options)) !== undefined;
}

/** The protection by MAC for an encoded protected part. `algorithm` is the one in its header. */
export async function macProtection(
  protectedPart: Uint8Array,
  { algorithm, ...options }: Omit<MacInput, 'data'> & { readonly algorithm: Uint8Array },
): Promise<Uint8Array> {
  return await passwordMac(parseAlgorithm(algorithm), { ...options, data: protectedPart });
}

/**
 * Whether the key made the signature of a message. False for a message without protection and for one with a MAC.
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
 * The certificate that a signed message says it was protected with: the first of the extra certificates that fits the
 * sender and the sender's key identifier (RFC 9483 §3.1, §3.3). Throws `DerError` when one before it cannot be read.
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
