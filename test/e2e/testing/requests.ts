// CSRs as created by clients, with keys held by the test.
import type { KeyObject } from 'node:crypto';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parseNameText,
  parsePublicKey,
  subjectAltNameExtension,
  writePem,
  type Name,
  type SignatureAlgorithm,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '@signetry/pki/node';

export interface TestRequest {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly keys: KeyPair;
  readonly privateKey: KeyObject;
}

export interface TestRequestOptions {
  /** RFC 4514 text, or the name itself if text cannot express it. */
  readonly subject: string | Name;
  readonly dnsNames?: readonly string[];
  readonly keySpec?: KeySpec;
  /** Keys of a previous request. */
  readonly keys?: KeyPair;
  /** Signature algorithm of the request; by default, the usual one for the key. */
  readonly algorithm?: SignatureAlgorithm;
  readonly challengePassword?: string;
}

export async function makeRequest(options: TestRequestOptions): Promise<TestRequest> {
  const keys = options.keys ?? (await generateKeyPair(options.keySpec ?? 'P-256'));
  const algorithm = options.algorithm ?? defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const names = (options.dnsNames ?? []).map((value) => ({ kind: 'dNSName', value }) as const);
  const info = buildCertificationRequestInfo({
    subject: typeof options.subject === 'string' ? buildName(parseNameText(options.subject)) : options.subject,
    spki: keys.spki,
    extensions: names.length > 0 ? [subjectAltNameExtension(names)] : [],
    ...(options.challengePassword === undefined ? {} : { challengePassword: options.challengePassword }),
  });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: info });
  const der = assembleCertificationRequest(info, { algorithm, signature });
  return { der, pem: writePem('CERTIFICATE REQUEST', der), keys, privateKey: keys.privateKey };
}
