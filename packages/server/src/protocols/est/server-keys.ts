// serverkeygen (RFC 7030 §4.4): a key is made here for a client that cannot make a good one, and goes out with its
// certificate over the same TLS connection. It is kept nowhere, so a request that has to wait is refused.
import { randomUUID } from 'node:crypto';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  defaultSignatureAlgorithm,
  OID,
  parsePublicKey,
  readCertificationRequest,
  writePem,
  type CertificationRequest,
  type PublicKey,
} from '@signetry/pki';
import {
  exportPrivateKey,
  generateKeyPair,
  KEY_SPECS,
  nodeCrypto,
  type KeyPair,
  type KeySpec,
} from '@signetry/pki/node';
import { base64Body, certificatesBody, requestOctets } from './bodies.ts';
import { beginEnrolment, judge, type EnrolParts } from './enrol.ts';
import type { EstCall, EstReply } from './operations.ts';
import { EstRefusal } from './refusal.ts';
import { identify, type RequesterParts } from './requester.ts';

/** Attributes by which a client asks for more than the encryption of TLS (RFC 7030 §4.4.1). */
const WRAPPED_KEY = ['1.2.840.113549.1.9.16.2.37', '1.2.840.113549.1.9.16.2.54'];
/** They belong to the request of the client, or to its key. */
const DROPPED_EXTENSIONS: readonly string[] = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

export async function serverKeygen(parts: EnrolParts & RequesterParts, call: EstCall): Promise<EstReply> {
  const { profile, credentials, binding, context } = call;
  if (!profile.serverKeys)
    throw new EstRefusal(
      501,
      `The EST profile ${profile.name} makes no keys. Use simpleenroll with a key of your own.`,
    );
  const requester = await identify(parts, profile, credentials);
  const asked = { operation: 'serverkeygen', profile, requester, der: requestOctets(call.body), binding } as const;
  await judge(parts, asked);
  const request = readCertificationRequest(writePem('CERTIFICATE REQUEST', asked.der));
  if (request.attributes.some(({ type }) => WRAPPED_KEY.includes(type)))
    throw new EstRefusal(501, 'The key is protected by TLS only; leave out the attribute that asks for more.');
  const keys = await generateKeyPair(specOf(request.publicKey));
  const der = requestFor(request, keys);
  const enrolment = await beginEnrolment(parts, { ...asked, der }, { transactionId: randomUUID() }, context);
  if (enrolment.state === 'refused') throw new EstRefusal(400, enrolment.problem ?? 'The request was refused.');
  if (!enrolment.certificate)
    throw new EstRefusal(
      503,
      'The certificate has to wait, and its key is not kept. Use simpleenroll, or ask for a profile without approvals.',
    );
  return multipart(exportPrivateKey(keys.privateKey), enrolment.certificate);
}

/** Of the kind and the size of the key in the request. */
function specOf({ family, name, bits, curve }: PublicKey): KeySpec {
  const wanted = family === 'RSA' ? `RSA-${bits}` : (curve ?? name);
  const spec = KEY_SPECS.find((each) => each === wanted);
  if (spec) return spec;
  throw new EstRefusal(400, `Keys of the type ${wanted} are not made here; ask with one of ${KEY_SPECS.join(', ')}.`);
}

/** What the client asks for, with the key that was made. */
function requestFor({ subject, extensions }: CertificationRequest, { spki, privateKey }: KeyPair): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const kept = extensions.filter(({ oid }) => !DROPPED_EXTENSIONS.includes(oid));
  const info = buildCertificationRequestInfo({ subject, spki, extensions: kept });
  return assembleCertificationRequest(info, {
    algorithm,
    signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
  });
}

/** The key in PKCS#8, then the certificate (RFC 7030 §4.4.2). */
function multipart(pkcs8: Uint8Array, certificate: Uint8Array): EstReply {
  const boundary = `est-${randomUUID()}`;
  const part = (media: string, body: string): string =>
    `--${boundary}\r\nContent-Type: ${media}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`;
  const key = base64Body(pkcs8);
  pkcs8.fill(0);
  return {
    status: 200,
    media: `multipart/mixed; boundary=${boundary}`,
    body: `${part('application/pkcs8', key)}${part('application/pkcs7-mime; smime-type=certs-only', certificatesBody([certificate]))}--${boundary}--\r\n`,
    isEncoded: false,
  };
}
