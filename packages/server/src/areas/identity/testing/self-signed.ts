// Self-signed certificate for listeners and clients in tests.
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  generateSerialNumber,
  parsePublicKey,
  defaultSignatureAlgorithm,
  writePem,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto } from '@signetry/pki/node';

export async function selfSigned(subject: string): Promise<{ cert: string; key: string; der: Uint8Array }> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName([{ type: 'CN', value: subject }]);
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: Date.now() - 60_000,
    notAfterMs: Date.now() + 3_600_000,
    spki,
    extensions: [],
  });
  const der = assembleCertificate(tbs, {
    algorithm,
    signature: await nodeCrypto.signAsync(privateKey, { algorithm, data: tbs }),
  });
  return { cert: writePem('CERTIFICATE', der), key: await exportPrivateKeyPem(privateKey), der };
}
