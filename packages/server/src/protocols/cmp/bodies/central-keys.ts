// Server-side key generation (RFC 9483 §4.1.6) for requests without a key, if the profile permits it. Generated keys
// are not stored, so such a request cannot wait.
import {
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  defaultSignatureAlgorithm,
  OID,
  parsePublicKey,
  signatureProof,
  type CertReqMsg,
  type CertResponseInput,
  type EncryptedKey,
} from '@signetry/pki';
import { exportPrivateKey, generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import type { Enrollment, Enrollments } from '../../../areas/enrollments/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { CmpCall, CmpReply } from '../call.ts';
import { chooseKey } from '../messages/key-choice.ts';
import { recipientOf, sealKey, type SealParts } from '../messages/seal-key.ts';
import { CmpRejection } from '../rejection.ts';

export interface CentralKeyParts extends SealParts {
  readonly enrollments: Pick<Enrollments, 'settle'>;
  readonly raProfiles: Pick<RaProfiles, 'acceptedKeys' | 'forIssuingByUuid'>;
}

/**
 * Result of generating a key. It does not contain the key in plaintext: only the request to issue, and the encrypted
 * key for the client.
 */
export interface CentralKey {
  /** Request with the new key and its proof of possession. */
  readonly request: Uint8Array;
  readonly privateKey: EncryptedKey;
  readonly isAsAsked: boolean;
}

/** Extensions dropped from the request because they refer to a key that the client does not have. */
const DROPPED_EXTENSIONS: readonly string[] = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

/** Generates a key for the request. All checks that can reject it run before a certificate is requested. */
export async function createCentralKey(
  parts: CentralKeyParts,
  call: CmpCall,
  message: CertReqMsg,
): Promise<CentralKey> {
  const { profile, raProfile } = call;
  if (!profile.centralKeys)
    throw new CmpRejection(
      'badCertTemplate',
      `The request has no public key, and the CMP profile ${profile.name} does not generate keys; generate a key on the client.`,
    );
  if (message.proof) throw new CmpRejection('badPOP', 'The request contains a proof of possession but no key.');
  const { approvalProfileUuid } = await parts.raProfiles.forIssuingByUuid(raProfile.uuid);
  if (approvalProfileUuid !== null || profile.requireManualApproval) throw notIssuedImmediately();
  const recipient = recipientOf(call);
  const policy = await parts.raProfiles.acceptedKeys(raProfile.uuid);
  const { spec, isAsAsked } = chooseKey(message.request.template.keyAlgorithm, policy);
  const keys = await generateKeyPair(spec);
  const privateKey = await sealKey(parts, call, { pkcs8: exportPrivateKey(keys.privateKey), recipient });
  return { request: requestFor(message, keys), privateKey, isAsAsked };
}

const notIssuedImmediately = (): CmpRejection =>
  new CmpRejection(
    'badRequest',
    'The certificate cannot be issued immediately, and generated keys are not stored; generate a key on the client.',
  );

function requestFor({ request, regInfo }: CertReqMsg, { spki, privateKey }: KeyPair): Uint8Array {
  const { certReqId, controls } = request;
  const extensions = request.template.extensions?.filter(({ oid }) => !DROPPED_EXTENSIONS.includes(oid));
  const template = buildCertTemplate({ ...request.template, extensions, spki });
  const data = buildCertRequest({ certReqId, template, controls });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const proof = signatureProof({ algorithm, signature: nodeCrypto.sign(privateKey, { algorithm, data }) });
  return buildCertReqMsg({ request: data, proof, regInfo });
}

const KEY_CHANGED = 'The key has a different type or size than requested, because the RA profile does not accept that.';

/** Returns the response that includes the key, if the certificate has been issued. */
export async function attachKey(
  { enrollments }: CentralKeyParts,
  { privateKey, isAsAsked }: CentralKey,
  { enrollment, reply }: { readonly enrollment: Enrollment; readonly reply: CmpReply },
): Promise<CmpReply> {
  if (enrollment.state === 'waiting') {
    const refusal = notIssuedImmediately();
    await enrollments.settle(enrollment.uuid, { from: ['waiting'], state: 'refused', problem: refusal.message });
    throw refusal;
  }
  const { body } = reply;
  if (!enrollment.certificate || !('responses' in body)) return reply;
  const respond = (response: CertResponseInput): CertResponseInput => {
    if (isAsAsked) return { ...response, privateKey };
    const texts = [KEY_CHANGED, ...(response.status.texts ?? [])];
    return { ...response, status: { status: 'grantedWithMods', texts }, privateKey };
  };
  return { ...reply, body: { ...body, responses: body.responses.map(respond) } };
}
