// A CA that signs CSRs, so that tests of `certificate request` receive real certificates.
import {
  assembleCertificate,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  fromBase64,
  generateSerialNumber,
  parsePublicKey,
  readCertificationRequest,
  subjectAltNameExtension,
  requestedAltNames,
  toBase64,
  verifyCertificationRequest,
  type ExtensionInput,
  type Name,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { NOW } from './fake-platform.ts';

const DAY_MS = 86_400_000;

export async function createFakeAuthority(commonName = 'Test Root') {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName([{ type: 'CN', value: commonName }]);

  async function sign(facts: { subject: Name; spki: Uint8Array; extensions: readonly ExtensionInput[]; days: number }) {
    const tbs = buildTbsCertificate({
      serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
      signatureAlgorithm: algorithm,
      issuer: name,
      subject: facts.subject,
      notBeforeMs: NOW - 3650 * DAY_MS,
      notAfterMs: NOW + facts.days * DAY_MS,
      spki: facts.spki,
      extensions: [...facts.extensions],
    });
    return assembleCertificate(tbs, {
      algorithm,
      signature: await nodeCrypto.signAsync(privateKey, { algorithm, data: tbs }),
    });
  }

  const root = await sign({ subject: name, spki, extensions: [basicConstraintsExtension({ ca: true })], days: 3650 });

  /** Returns the certificate for a CSR, both in Base64. Throws if the CSR is not signed with its own key. */
  async function issue(requestText: string): Promise<string> {
    const request = readCertificationRequest(fromBase64(requestText));
    if (!verifyCertificationRequest(request, nodeCrypto.verify))
      throw new Error('the request is not signed with its key');
    const names = requestedAltNames(request);
    const extensions = names.length === 0 ? [] : [subjectAltNameExtension(names)];
    return toBase64(await sign({ subject: request.subject, spki: request.publicKey.spki, extensions, days: 90 }));
  }

  /** Returns a PEM key and a certificate for a running server, valid at the real time and at the time of the tests. */
  async function issueForServer(names: Parameters<typeof subjectAltNameExtension>[0]) {
    const pair = await generateKeyPair('P-256');
    const subject = buildName([{ type: 'CN', value: 'server' }]);
    const extensions = [subjectAltNameExtension(names)];
    const certificate = await sign({ subject, spki: pair.spki, extensions, days: 36_500 });
    return { keyPem: await exportPrivateKeyPem(pair.privateKey), certificate };
  }

  return { root, issue, issueForServer };
}
