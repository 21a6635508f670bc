import { describe, expect, it } from 'vitest';
import {
  altSignatureAlgorithmExtension,
  altSignatureValueExtension,
  subjectAltPublicKeyExtension,
} from './extension-parts.ts';
import { alternativeSignedOctets, alternativeSpki, isAlternativelySignedBy } from './alternative-signature.ts';
import { assembleCertificate, buildTbsCertificate, type TbsCertificateInput } from './builder.ts';
import { issue, NOW_MS, testKeys } from '../testing/authority.ts';
import { nodeCrypto } from '../node/index.ts';
import { parseCertificate, type Certificate } from './certificate.ts';
import { signatureAlgorithm } from '../algorithms.ts';

const { verify } = nodeCrypto;

async function hybrid(tamper = false): Promise<{ certificate: Certificate; alternative: Uint8Array }> {
  const root = await issue({ subject: 'CN=Hybrid' });
  const alternative = await testKeys('ML-DSA-65');
  const algorithm = signatureAlgorithm('ML-DSA-65');
  const input: TbsCertificateInput = {
    serialNumber: Uint8Array.of(1),
    signatureAlgorithm: root.algorithm,
    issuer: root.name,
    subject: root.name,
    notBeforeMs: NOW_MS,
    notAfterMs: NOW_MS,
    spki: root.keys.spki,
    extensions: [subjectAltPublicKeyExtension(alternative.spki), altSignatureAlgorithmExtension(algorithm.der)],
  };
  const data = alternativeSignedOctets(buildTbsCertificate(input));
  const signature = nodeCrypto.sign(alternative.privateKey, { algorithm, data });
  const tbs = buildTbsCertificate({
    ...input,
    notAfterMs: tamper ? NOW_MS + 1000 : NOW_MS,
    extensions: [...input.extensions, altSignatureValueExtension(signature)],
  });
  return { certificate: parseCertificate(assembleCertificate(tbs, root.sign(tbs))), alternative: alternative.spki };
}

describe('alternative signatures', () => {
  it('cover the certificate except its signature fields', async () => {
    const { certificate, alternative } = await hybrid();
    expect(alternativeSpki(certificate)).toEqual(alternative);
    expect(isAlternativelySignedBy(certificate, { issuerAlternativeSpki: alternative, verify })).toBe(true);
  });

  it('fail to verify with a different key or over different contents, and are absent from other certificates', async () => {
    const { certificate } = await hybrid();
    const other = (await testKeys('ML-DSA-87')).spki;
    expect(isAlternativelySignedBy(certificate, { issuerAlternativeSpki: other, verify })).toBe(false);
    const changed = await hybrid(true);
    expect(isAlternativelySignedBy(changed.certificate, { issuerAlternativeSpki: changed.alternative, verify })).toBe(
      false,
    );
    const plain = (await issue({ subject: 'CN=plain' })).certificate;
    expect(isAlternativelySignedBy(plain, { issuerAlternativeSpki: other, verify })).toBeUndefined();
  });
});
