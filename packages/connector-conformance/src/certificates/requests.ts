// CSRs with newly generated keys.
import { randomBytes } from 'node:crypto';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parsePublicKey,
  subjectAltNameExtension,
  toBase64,
  type Name,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';

export interface TestRequest {
  /** DER in Base64. */
  readonly text: string;
  readonly subject: Name;
  readonly spki: Uint8Array;
}

/** Creates a CSR for a random host name, with proof of possession. */
export async function makeRequest({ altNames = true }: { readonly altNames?: boolean } = {}): Promise<TestRequest> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const host = `check-${randomBytes(6).toString('hex')}.example.com`;
  const subject = buildName([{ type: 'CN', value: host }]);
  const info = buildCertificationRequestInfo({
    subject,
    spki,
    extensions: altNames ? [subjectAltNameExtension([{ kind: 'dNSName', value: host }])] : [],
  });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
  return { text: toBase64(assembleCertificationRequest(info, { algorithm, signature })), subject, spki };
}
