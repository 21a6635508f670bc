// Key stores for tests: a PKCS #12 file with a self-signed certificate and its key, and one with only the certificate,
// written by OpenSSL.
import { execFileSync } from 'node:child_process';
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  parseNameText,
  parsePublicKey,
  writePem,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';

export interface KeyStore {
  readonly bytes: Uint8Array;
  readonly withoutKey: Uint8Array;
}

const DAY_MS = 86_400_000;

interface KeyStoreFacts {
  readonly password: string;
  readonly notAfterMs?: number;
}

export async function keyStore(facts: KeyStoreFacts): Promise<KeyStore> {
  const { bytes, der } = await pkcs12(facts);
  const args = ['pkcs12', '-export', '-nokeys', '-passout', `pass:${facts.password}`];
  return { bytes, withoutKey: execFileSync('openssl', args, { input: writePem('CERTIFICATE', der) }) };
}

/** Returns the key store and its certificate. */
export async function pkcs12({ password, notAfterMs = Date.now() + 30 * DAY_MS }: KeyStoreFacts) {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName(parseNameText('CN=key store'));
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: notAfterMs - 60 * DAY_MS,
    notAfterMs,
    spki,
    extensions: [],
  });
  const der = assembleCertificate(tbs, { algorithm, signature: nodeCrypto.sign(privateKey, { algorithm, data: tbs }) });
  const privateKeyDer = privateKey.export({ format: 'der', type: 'pkcs8' });
  const bytes = await writePkcs12({ privateKey: privateKeyDer, chain: [der], friendlyName: 'key store', password });
  return { bytes, der };
}
