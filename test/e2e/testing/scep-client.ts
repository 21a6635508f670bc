// A SCEP client: posts messages, and reads responses with the checks that every response must pass.
import {
  OID,
  openContentInfo,
  openEnvelope,
  parseCertificate,
  parseEnvelopedData,
  parseSignedData,
  readPkcs7,
  readScepMessage,
  verifySigner,
  matchesNonce,
  type Certificate,
  type ScepMessage,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto, recipientKeyOf } from '@signetry/pki/node';
import { expect } from 'vitest';
import type { ScepSigner } from './scep-messages.ts';

export interface ScepResponse extends Pick<ScepMessage, 'status' | 'failInfo' | 'failInfoText' | 'transactionId'> {
  readonly certificates: readonly Certificate[];
  /** In DER. */
  readonly crls: readonly Uint8Array[];
  /** OIDs of the cipher and the key transport. */
  readonly encryption?: readonly (string | undefined)[];
}

/** Posts a message and checks what every response must contain. */
export async function post(url: string, message: Uint8Array, contentType = 'application/x-pki-message') {
  return fetch(`${url}?operation=PKIOperation`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: Buffer.from(message),
  });
}

export async function readResponse(
  response: Response,
  { message, signer, ca }: { readonly message: Uint8Array; readonly signer: ScepSigner; readonly ca: Certificate },
): Promise<ScepResponse> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-pki-message']);
  const answer = readScepMessage(new Uint8Array(await response.arrayBuffer()), nodeCrypto.digest);
  const { verify, digest } = nodeCrypto;
  expect(verifySigner(answer.signedData, answer.signer, { certificate: ca, verify, digest }).valid).toBe(true);
  const asked = readScepMessage(message, digest);
  expect(answer.messageType).toBe('CertRep');
  expect(answer.transactionId).toBe(asked.transactionId);
  expect(matchesNonce(answer, asked)).toBe(true);
  const { status, failInfo, failInfoText, transactionId, envelope } = answer;
  if (status !== 'success' || !envelope)
    return { status, failInfo, failInfoText, transactionId, certificates: [], crls: [] };
  const sealed = parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData));
  const [recipient] = sealed.recipients;
  const opened = await openEnvelope(
    sealed,
    { certificate: signer.certificate, key: recipientKeyOf(signer.privateKey) },
    nodeCmsCrypto,
  );
  const { certificates, crls } = parseSignedData(openContentInfo(opened, OID.pkcs7SignedData));
  const parsed = certificates.map((der) => parseCertificate(der));
  const encryption = [sealed.algorithm.oid, recipient?.kind === 'keyTransport' ? recipient.algorithm.oid : undefined];
  return { status, failInfo, failInfoText, transactionId, certificates: parsed, crls, encryption };
}

/** Returns the certificates from GetCACert, the recipient first. */
export async function caCertificates(url: string): Promise<readonly Certificate[]> {
  const response = await fetch(`${url}?operation=GetCACert`);
  expect(response.status).toBe(200);
  const body = new Uint8Array(await response.arrayBuffer());
  if (response.headers.get('content-type') === 'application/x-x509-ca-cert') return [parseCertificate(body)];
  expect(response.headers.get('content-type')).toBe('application/x-x509-ca-ra-cert');
  return readPkcs7(body).map((der) => parseCertificate(der));
}
