import { expect, it } from 'vitest';
import { signatureAlgorithm } from './algorithms.ts';
import {
  alternativeKeyAttributes,
  requestedAlternativeKey,
  alternativeSignatureAttribute,
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  isHybridRequest,
  parseCertificationRequest,
  verifyAlternativeRequestSignature,
  verifyCertificationRequest,
  type RequestAttribute,
} from './csr.ts';
import { buildName } from './names.ts';
import { generateKeyPair, nodeCrypto } from './node/index.ts';
import { OID } from './oids.ts';
import { ipAddressName } from './x509/general-names.ts';
import { subjectAltNameExtension } from './x509/extension-parts.ts';

const keys = await generateKeyPair('P-256');
const alternative = await generateKeyPair('ML-DSA-44');
const [algorithm, altAlgorithm] = [signatureAlgorithm('SHA256withECDSA'), signatureAlgorithm('ML-DSA-44')];
const input = {
  subject: buildName([{ type: 'CN', value: 'hybrid.example' }]),
  spki: keys.spki,
  extensions: [subjectAltNameExtension([ipAddressName('192.0.2.1')])],
};

const requestWith = (attributes: readonly RequestAttribute[]) => {
  const info = buildCertificationRequestInfo({ ...input, attributes });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: info });
  return parseCertificationRequest(assembleCertificationRequest(info, { algorithm, signature }));
};

const announced = alternativeKeyAttributes(alternative.spki, altAlgorithm);
const signWithAlternative = (data = buildCertificationRequestInfo({ ...input, attributes: announced })) => [
  ...announced,
  alternativeSignatureAttribute(nodeCrypto.sign(alternative.privateKey, { algorithm: altAlgorithm, data })),
];

it('a hybrid request is signed with both of its keys', () => {
  const request = requestWith(signWithAlternative());
  expect(isHybridRequest(request)).toBe(true);
  expect(requestedAlternativeKey(request)?.spki).toEqual(alternative.spki);
  expect(verifyCertificationRequest(request, nodeCrypto.verify)).toBe(true);
  expect(verifyAlternativeRequestSignature(request, nodeCrypto.verify)).toBe(true);
});

it('a hybrid request does not verify if its alternative signature is wrong or a part is missing', () => {
  const ofOther = requestWith(signWithAlternative(Uint8Array.of(1)));
  expect(verifyAlternativeRequestSignature(ofOther, nodeCrypto.verify)).toBe(false);
  for (const missing of [OID.subjectAltPublicKeyInfo, OID.altSignatureAlgorithm, OID.altSignatureValue]) {
    const request = requestWith(signWithAlternative().filter(({ type }) => type !== missing));
    expect(isHybridRequest(request)).toBe(true);
    expect(verifyAlternativeRequestSignature(request, nodeCrypto.verify)).toBe(false);
  }
});

it('a request without an alternative key is not a hybrid request', () => {
  const request = requestWith([]);
  expect(isHybridRequest(request)).toBe(false);
  expect(requestedAlternativeKey(request)).toBeUndefined();
});
