// Protects a generated private key for its client (RFC 9483 §4.1.6): it is signed if the profile has a signing
// certificate, and encrypted for the request's sender.
import {
  assembleSignedData,
  buildAsymmetricKeyPackage,
  buildSignedAttributes,
  keyIdentifierOf,
  OID,
  sealEnvelope,
  type EncryptedKey,
  type NewRecipient,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto } from '@signetry/pki/node';
import { CMP_SIGNING } from '../../../areas/cmp-profiles/index.ts';
import type { SigningCertificates } from '../../../areas/signing-certificates/index.ts';
import type { CmpCall, Sender } from '../call.ts';
import { CmpRejection } from '../rejection.ts';

export interface SealParts {
  readonly signingCertificates: Pick<SigningCertificates, 'reach'>;
}

/**
 * Returns the recipient for whom a key is encrypted. CMP version 2 defines neither key packages nor envelopes. The only
 * version 2 client that accepts them, OpenSSL, reads a bare key, and content keys that are wrapped with a password as
 * in RFC
 * 3211.
 */
export function recipientOf({ sender, profile, message }: CmpCall): NewRecipient {
  if (sender.kind === 'mac')
    return { password: sender.secret.reveal(), wrap: message.header.pvno === 3 ? 'aes-wrap' : 'pwri-kek' };
  if (profile.signingCertificateUuid === undefined)
    throw new CmpRejection(
      'notAuthorized',
      `A key for a signed request must also be signed, but the CMP profile ${profile.name} has no signing certificate.`,
    );
  return certificateOf(sender);
}

/** Returns the sender's certificate as the recipient, if its key usage permits this (RFC 9483 §4.1.6.1, §4.1.6.2). */
function certificateOf({ certificate }: Extract<Sender, { kind: 'signature' }>): NewRecipient {
  const { publicKey, keyUsage } = certificate;
  const needed = ({ RSA: 'keyEncipherment', ECDSA: 'keyAgreement' } as const)[publicKey.family as 'RSA' | 'ECDSA'];
  if (needed === undefined)
    throw new CmpRejection(
      'notAuthorized',
      `Cannot encrypt for a key of type ${publicKey.name}; protect the request with an RSA or EC certificate.`,
    );
  if (keyUsage && !keyUsage.includes(needed))
    throw new CmpRejection(
      'notAuthorized',
      `Cannot encrypt the key for the certificate that protects the request: its key usage lacks ${needed}.`,
    );
  return { certificate };
}

/** Encrypts a PKCS #8 key for its recipient, and clears the plaintext. */
export async function sealKey(
  parts: SealParts,
  { message, profile }: CmpCall,
  { pkcs8, recipient }: { readonly pkcs8: Uint8Array; readonly recipient: NewRecipient },
): Promise<EncryptedKey> {
  const isPackage = message.header.pvno === 3;
  const content = isPackage ? buildAsymmetricKeyPackage([pkcs8]) : Uint8Array.from(pkcs8);
  pkcs8.fill(0);
  const contentType = isPackage ? OID.asymmetricKeyPackage : OID.pkcs7Data;
  const signed = await signedContent(parts, { content, contentType, signer: profile.signingCertificateUuid });
  content.fill(0);
  const envelopedData = await sealEnvelope(
    { content: signed, contentType: OID.pkcs7SignedData, recipients: [recipient] },
    nodeCmsCrypto,
  );
  signed.fill(0);
  return { kind: 'envelopedData', envelopedData };
}

interface KeyContent {
  readonly content: Uint8Array;
  readonly contentType: string;
  /** Absent if the key is not signed, in which case only the message's MAC proves its origin. */
  readonly signer: string | undefined;
}

async function signedContent(
  { signingCertificates }: SealParts,
  { content, contentType, signer }: KeyContent,
): Promise<Uint8Array> {
  if (signer === undefined) return assembleSignedData({ content, contentType, signers: [] });
  const { certificate, chain, algorithm, sign } = await signingCertificates.reach(signer, CMP_SIGNING);
  const { digest } = nodeCrypto;
  const signedAttributes = buildSignedAttributes({ content, contentType, algorithm, digest });
  const identifier = keyIdentifierOf(certificate, digest);
  const signature = await sign(signedAttributes);
  const signers = [{ identifier, algorithm, signature, signedAttributes }];
  return assembleSignedData({ content, contentType, certificates: chain, signers });
}
