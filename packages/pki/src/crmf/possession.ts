// Proof of possession of the private key (RFC 4211 §4, RFC 9810 §5.2.8): decoding, encoding and verification. Only
// signatures can be verified from the request alone. The other kinds are identified, so that the caller can reject them
// or continue with the required exchange.
import { bitStringPart, encodeDer, explicitPart, implicitConstructed, sequence } from '../der/writer.ts';
import { contentBytes, DerCursor, explicitContent, readBitStringBytes } from '../der/reader.ts';
import { DerError } from '../errors.ts';
import { equalBytes } from '../bytes.ts';
import { equalNames, type Name } from '../names.ts';
import { generalNamePart, readGeneralName, type GeneralName } from '../x509/general-names.ts';
import { messageSignatureAlgorithm } from './message-signature.ts';
import { nextAlgorithm } from '../algorithms.ts';
import { readIntegerBetween, type DerElement } from '../der/reader.ts';
import { readPkMacValue, verifyPasswordMac, type MacInput, type PkMacValue } from './password-mac.ts';
import { readSequenceDer, retag, retagElement } from '../der/members.ts';
import { pkMacValuePart } from './password-mac.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier, SignatureAlgorithm } from '../algorithms.ts';
import type { CertTemplate } from './template.ts';
import type { VerifySignature } from '../crypto.ts';

/**
 * Input that is signed instead of the request if the template lacks a subject or key (RFC 4211 §4.1): the sender or a
 * MAC, and the key.
 */
export interface SigningKeyInput {
  /** The POPOSigningKeyInput as a SEQUENCE: the bytes that the signature covers. */
  readonly der: Uint8Array;
  readonly authInfo: { readonly sender: GeneralName } | { readonly publicKeyMac: PkMacValue };
  readonly spki: Uint8Array;
}

export const PRIVATE_KEY_PROOFS = ['thisMessage', 'subsequentMessage', 'dhMAC', 'agreeMAC', 'encryptedKey'] as const;

export type ProofOfPossession =
  /** An RA has verified possession and vouches for it. */
  | { readonly kind: 'raVerified' }
  | {
      readonly kind: 'signature';
      readonly algorithm: AlgorithmIdentifier;
      readonly signature: Uint8Array;
      readonly input: SigningKeyInput | undefined;
    }
  | {
      readonly kind: 'keyEncipherment' | 'keyAgreement';
      readonly method: (typeof PRIVATE_KEY_PROOFS)[number];
      /** For method `subsequentMessage`: whether the CA returns the certificate encrypted or sends a challenge. */
      readonly subsequentMessage: 'encrCert' | 'challengeResp' | undefined;
      /** Content bytes of the method's value. */
      readonly value: Uint8Array;
    };

/** Reads a ProofOfPossession. Throws `DerError`. */
export function readProofOfPossession(element: DerElement): ProofOfPossession {
  switch (element.tag) {
    case 0x80:
      if (element.content !== element.end) throw new DerError('bad-null', element.start);
      return { kind: 'raVerified' };
    case 0xa1:
      return readSignature(element);
    case 0xa2:
      return { kind: 'keyEncipherment', ...readPrivateKeyProof(explicitContent(element)) };
    case 0xa3:
      return { kind: 'keyAgreement', ...readPrivateKeyProof(explicitContent(element)) };
    default:
      throw new DerError('unexpected-tag', element.start);
  }
}

function readSignature(element: DerElement): ProofOfPossession {
  const cursor = new DerCursor(element);
  const input = cursor.optional(0xa0);
  const algorithm = nextAlgorithm(cursor);
  const signature = readBitStringBytes(cursor.next());
  cursor.finish();
  return { kind: 'signature', algorithm, signature, input: input && readSigningKeyInput(input) };
}

function readSigningKeyInput(element: DerElement): SigningKeyInput {
  const cursor = new DerCursor(element);
  const info = cursor.next();
  const spki = readSequenceDer(cursor.next());
  cursor.finish();
  const authInfo =
    info.tag === 0xa0 ? { sender: readGeneralName(explicitContent(info)) } : { publicKeyMac: readPkMacValue(info) };
  return { der: retagElement(element, TAG.sequence), authInfo, spki };
}

const PROOF_TAGS: readonly number[] = [0x80, 0x81, 0x82, 0xa3, 0xa4];

type PrivateKeyProof = Pick<Extract<ProofOfPossession, { method: unknown }>, 'method' | 'subsequentMessage' | 'value'>;

function readPrivateKeyProof(element: DerElement): PrivateKeyProof {
  const method = PRIVATE_KEY_PROOFS[PROOF_TAGS.indexOf(element.tag)];
  if (method === undefined) throw new DerError('unexpected-tag', element.start);
  const subsequent = method === 'subsequentMessage' ? readIntegerBetween(element, { min: 0, max: 1, tag: 0x81 }) : -1;
  const subsequentMessage = subsequent === 0 ? 'encrCert' : subsequent === 1 ? 'challengeResp' : undefined;
  return { method, subsequentMessage, value: contentBytes(element) };
}

/** Encoded raVerified proof. */
export const RA_VERIFIED: Uint8Array = Uint8Array.of(0x80, 0);

/**
 * Returns an encoded proof for the method `subsequentMessage`, which requests an encrypted certificate or a challenge.
 */
export function subsequentMessageProof(
  kind: 'keyEncipherment' | 'keyAgreement',
  message: 'encrCert' | 'challengeResp',
): Uint8Array {
  const method = Uint8Array.of(0x81, 1, message === 'encrCert' ? 0 : 1);
  return encodeDer(explicitPart(kind === 'keyEncipherment' ? 2 : 3, method));
}

/** Returns an encoded POPOSigningKeyInput, to be signed if the template has no subject or no key. */
export function buildSigningKeyInput(input: {
  readonly authInfo:
    { readonly sender: GeneralName } | { readonly publicKeyMac: { algorithm: Uint8Array; value: Uint8Array } };
  readonly spki: Uint8Array;
}): Uint8Array {
  const { authInfo, spki } = input;
  const info =
    'sender' in authInfo ? explicitPart(0, generalNamePart(authInfo.sender)) : pkMacValuePart(authInfo.publicKeyMac);
  return encodeDer(sequence([info, spki]));
}

/** Returns an encoded proof by signature over the CertRequest, or over `input` if present. */
export function signatureProof(signed: {
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
  readonly input?: Uint8Array | undefined;
}): Uint8Array {
  const { algorithm, signature, input } = signed;
  return encodeDer(implicitConstructed(1, [input && retag(input, 0xa0), algorithm.der, bitStringPart(signature)]));
}

export type PossessionRejection =
  | 'missing'
  /** The caller decides whether this sender may vouch for the key. */
  | 'ra-verified'
  /** Keys that cannot sign require an exchange of messages (RFC 9810 §5.2.8.3). */
  | 'needs-dialogue'
  | 'no-public-key'
  /** The key in the signed input differs from the one in the template. */
  | 'key-differs'
  /** The signed input specifies a sender that is not among the authenticated ones. */
  | 'sender-not-authenticated'
  | 'mac-invalid'
  | 'signature-invalid';

export type PossessionVerdict =
  | { readonly proven: true; readonly spki: Uint8Array }
  | { readonly proven: false; readonly refusal: PossessionRejection };

/** A request and its proof, for example a `CertReqMsg`. */
export interface ProvenRequest {
  /** `der` is the CertRequest. */
  readonly request: { readonly der: Uint8Array; readonly template: CertTemplate };
  readonly proof: ProofOfPossession | undefined;
}

export interface PossessionVerification {
  readonly verify: VerifySignature;
  /** Authenticated names of the message sender: those in the certificate that protects the message. */
  readonly senderNames?: readonly Name[];
  /** Secret shared with the sender, for inputs with publicKeyMAC. */
  readonly mac?: Omit<MacInput, 'data'>;
}

/**
 * Verifies that a request's sender has the private key. Throws `PkiError` `unsupported-algorithm`, and the same errors
 * as `passwordMac`.
 */
export async function verifyProofOfPossession(
  { request, proof }: ProvenRequest,
  options: PossessionVerification,
): Promise<PossessionVerdict> {
  if (proof === undefined) return reject('missing');
  if (proof.kind === 'raVerified') return reject('ra-verified');
  if (proof.kind !== 'signature') return reject('needs-dialogue');
  const { input, signature } = proof;
  const spki = request.template.publicKey === undefined ? undefined : request.template.spki;
  if (spki === undefined) return reject('no-public-key');
  if (input !== undefined) {
    if (!equalBytes(input.spki, spki)) return reject('key-differs');
    const refusal = await checkAuthInfo(input, options);
    if (refusal !== undefined) return reject(refusal);
  }
  const algorithm = messageSignatureAlgorithm(proof.algorithm);
  const data = input?.der ?? request.der;
  return options.verify(spki, { algorithm, data, signature }) ? { proven: true, spki } : reject('signature-invalid');
}

const reject = (refusal: PossessionRejection): PossessionVerdict => ({ proven: false, refusal });

async function checkAuthInfo(
  { authInfo, spki }: SigningKeyInput,
  { senderNames = [], mac }: PossessionVerification,
): Promise<PossessionRejection | undefined> {
  if ('sender' in authInfo) {
    const { sender } = authInfo;
    const isKnown = sender.kind === 'directoryName' && senderNames.some((name) => equalNames(name, sender.name));
    return isKnown ? undefined : 'sender-not-authenticated';
  }
  if (mac === undefined) return 'mac-invalid';
  const { algorithm, value } = authInfo.publicKeyMac;
  // The MAC only covers the key (RFC 4211 §4.1).
  return (await verifyPasswordMac(algorithm, { ...mac, data: spki, mac: value })) ? undefined : 'mac-invalid';
}
