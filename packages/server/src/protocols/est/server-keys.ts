// serverkeygen (RFC 7030 §4.4): the server generates a key for a client that cannot generate a good one, and sends it
// with its certificate over the same TLS connection. The key is not stored, so a request that would have to wait is
// rejected.
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
import { beginEnrollment, evaluateRequest, type EnrollParts } from './enroll.ts';
import type { EstCall, EstReply } from './operations.ts';
import { EstRejection, RecordedRejection } from './rejection.ts';
import { identify, type RequesterParts } from './requester.ts';

/** Attributes with which a client requests encryption beyond TLS (RFC 7030 §4.4.1). */
const WRAPPED_KEY = ['1.2.840.113549.1.9.16.2.37', '1.2.840.113549.1.9.16.2.54'];
/** Extensions dropped from the request because they belong to the client's own request or key. */
const DROPPED_EXTENSIONS: readonly string[] = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

export async function serverKeygen(parts: EnrollParts & RequesterParts, call: EstCall): Promise<EstReply> {
  const { profile, credentials, binding, context } = call;
  if (!profile.serverKeys)
    throw new EstRejection(
      501,
      `The EST profile ${profile.name} does not generate keys. Use simpleenroll with a key generated on the client.`,
    );
  const requester = await identify(parts, profile, credentials);
  const asked = { operation: 'serverkeygen', profile, requester, der: requestOctets(call.body), binding } as const;
  await evaluateRequest(parts, asked);
  const request = readCertificationRequest(writePem('CERTIFICATE REQUEST', asked.der));
  if (request.attributes.some(({ type }) => WRAPPED_KEY.includes(type)))
    throw new EstRejection(
      501,
      'The key is protected only by TLS; omit the attribute that requests additional encryption.',
    );
  const keys = await generateKeyPair(specOf(request.publicKey));
  const der = requestFor(request, keys);
  const enrollment = await beginEnrollment(parts, { ...asked, der }, { transactionId: randomUUID() }, context);
  if (enrollment.state === 'refused')
    throw new RecordedRejection(400, enrollment.problem ?? 'The request was rejected.');
  if (!enrollment.certificate)
    throw new EstRejection(
      503,
      'The certificate cannot be issued immediately, and its key is not stored. Use simpleenroll, or a profile that does not require approval.',
    );
  return multipart(exportPrivateKey(keys.privateKey), enrollment.certificate);
}

/** Returns the type and size of the key specified in the request. */
function specOf({ family, name, bits, curve }: PublicKey): KeySpec {
  const wanted = family === 'RSA' ? `RSA-${bits}` : (curve ?? name);
  const spec = KEY_SPECS.find((each) => each === wanted);
  if (spec) return spec;
  throw new EstRejection(
    400,
    `Cannot generate keys of type ${wanted}; use one of ${KEY_SPECS.join(', ')} in the request.`,
  );
}

/** Returns the client's request with the generated key instead of the client's. */
function requestFor({ subject, extensions }: CertificationRequest, { spki, privateKey }: KeyPair): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const kept = extensions.filter(({ oid }) => !DROPPED_EXTENSIONS.includes(oid));
  const info = buildCertificationRequestInfo({ subject, spki, extensions: kept });
  return assembleCertificationRequest(info, {
    algorithm,
    signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
  });
}

/** Returns a multipart response: the PKCS #8 key, followed by the certificate (RFC 7030 §4.4.2). */
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
