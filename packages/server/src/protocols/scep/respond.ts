// Responses: CertRep messages (RFC 8894 §3.3.2), signed with the profile's RA certificate.
import {
  assembleScepMessage,
  buildContentInfo,
  buildDegenerate,
  buildSignedAttributes,
  issuerAndSerialOf,
  OID,
  PkiError,
  scepAttributes,
  SCEP_NONCE_OCTETS,
  sealEnvelope,
  type NewScepAttributes,
  type ScepMessage,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto } from '@signetry/pki/node';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import type { ResponseEncryption } from './open-message.ts';
import { ScepRejection } from './rejection.ts';

/** Result of processing a message. */
export type Outcome =
  | { readonly status: 'success'; readonly certificates: readonly Uint8Array[]; readonly crls?: readonly Uint8Array[] }
  | { readonly status: 'pending' };

/** The request and the certificate that signs the response. */
export interface Exchange {
  readonly message: ScepMessage;
  readonly ca: SigningCertificate;
}

export interface ResponseContext extends Exchange {
  readonly encryption: ResponseEncryption;
}

export async function respond(answering: ResponseContext, outcome: Outcome): Promise<Uint8Array> {
  if (outcome.status === 'pending') return signResponse(answering, { status: 'pending' });
  const { certificates, crls = [] } = outcome;
  return signResponse(
    answering,
    { status: 'success' },
    await sealContent(answering, buildDegenerate({ certificates, crls })),
  );
}

/** Maximum length of the text. RFC 5280 sets no limit, but devices show only one line. */
const MAX_TEXT = 255;

export const respondWithRejection = (
  answering: Exchange,
  { failInfo, message: words }: ScepRejection,
): Promise<Uint8Array> =>
  signResponse(answering, { status: 'failure', failInfo, failInfoText: words.slice(0, MAX_TEXT).toWellFormed() });

/** Encrypts content for the request's signer (RFC 8894 §3.3.2). */
async function sealContent({ message, encryption }: ResponseContext, content: Uint8Array): Promise<Uint8Array> {
  const { cipher, transport } = encryption;
  const recipient = { certificate: message.certificate, transport };
  try {
    const envelope = await sealEnvelope({ content, recipients: [recipient], cipher }, nodeCmsCrypto);
    return buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content: envelope });
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw new ScepRejection('badAlg', `Cannot encrypt for the signer's certificate: ${error.message}`);
  }
}

async function signResponse(
  { message, ca }: Exchange,
  facts: Pick<NewScepAttributes, 'status' | 'failInfo' | 'failInfoText'>,
  envelope?: Uint8Array,
): Promise<Uint8Array> {
  const attributes = scepAttributes({
    messageType: 'CertRep',
    transactionId: message.transactionId,
    senderNonce: nodeCrypto.randomBytes(SCEP_NONCE_OCTETS),
    recipientNonce: message.senderNonce,
    ...facts,
  });
  const content = envelope ?? new Uint8Array();
  const { algorithm } = ca;
  const signedAttributes = buildSignedAttributes({ content, algorithm, digest: nodeCrypto.digest, attributes });
  const signature = await ca.sign(signedAttributes);
  const identifier = issuerAndSerialOf(ca.certificate);
  return assembleScepMessage({
    envelope: content,
    certificates: ca.chain.slice(0, 1),
    signer: { identifier, algorithm, signature, signedAttributes },
  });
}
