// A certificate whose validity starts in the year 0, as created by devices without a clock.
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  parsePublicKey,
  writePem,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto } from '@signetry/pki/node';

export interface YearZeroCertificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Returns it in PEM, with its key. The builder writes years from 2050 on with four digits, which are replaced before
 * signing.
 */
export async function makeYearZeroCertificate(commonName: string): Promise<YearZeroCertificate> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName([{ type: 'CN', value: commonName }]);
  const built = buildTbsCertificate({
    serialNumber: Uint8Array.of(0x17, ...nodeCrypto.randomBytes(8)),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: Date.UTC(2077, 0, 1),
    notAfterMs: Date.UTC(2088, 0, 1),
    spki,
    extensions: [],
  });
  const tbs = Buffer.from(Buffer.from(built).toString('latin1').replace('20770101', '00000101'), 'latin1');
  const signature = await nodeCrypto.signAsync(privateKey, { algorithm, data: tbs });
  const der = assembleCertificate(tbs, { algorithm, signature });
  return { certificate: writePem('CERTIFICATE', der), key: await exportPrivateKeyPem(privateKey) };
}
