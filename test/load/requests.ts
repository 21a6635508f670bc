// CSRs, each with a different key.
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parsePublicKey,
  subjectAltNameExtension,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';

/** Returns the Base64 DER of a CSR for one host below `bench.example`. */
export async function makeRequest(host: string): Promise<string> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const value = `${host}.bench.example`;
  const info = buildCertificationRequestInfo({
    subject: buildName([{ type: 'CN', value }]),
    spki,
    extensions: [subjectAltNameExtension([{ kind: 'dNSName', value }])],
  });
  const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
  return Buffer.from(assembleCertificationRequest(info, { algorithm, signature })).toString('base64');
}

/** Returns CSRs with different keys, as Base64 DER. */
export async function makeRequests(count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let index = 0; index < count; index += 1) requests.push(await makeRequest(`host-${index}`));
  return requests;
}
