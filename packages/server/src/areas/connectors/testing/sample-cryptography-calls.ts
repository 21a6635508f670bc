// A call of every cryptography provider operation.
import {
  attributeCalls,
  checkOf,
  definitions,
  definitionsOf,
  metadata,
  OTHER_UUID,
  UUID,
  values,
  type SampleCalls,
} from './sample-values.ts';

const params = { uuid: UUID };
const ofKey = { uuid: UUID, keyUuid: OTHER_UUID };
const token = { uuid: UUID, name: 'First', metadata };
const request = { name: 'First', kind: 'Sample', attributes: values };
const creation = { tokenProfileAttributes: values, createKeyAttributes: values };

const publicKey = {
  uuid: UUID,
  name: 'signer',
  association: 'pair-1',
  keyData: {
    type: 'Public',
    algorithm: 'ECDSA',
    format: 'SubjectPublicKeyInfo',
    value: { value: 'MFkwEw==' },
    length: 256,
    metadata,
  },
} as const;
const privateKey = {
  ...publicKey,
  uuid: OTHER_UUID,
  keyData: { ...publicKey.keyData, type: 'Private', format: 'Custom', value: { values: { handle: '17' } } },
} as const;
const secretKey = {
  ...publicKey,
  keyData: { ...publicKey.keyData, type: 'Secret', algorithm: 'Unknown', format: 'Raw', value: { value: 'AAEC' } },
} as const;

const sent = [{ data: 'AAEC', identifier: 'first' }];
const answered = [{ data: 'AwQF', identifier: 'first', details: { mechanism: 'CKM_ECDSA' } }];

export const cryptographyCalls: SampleCalls<'cryptographyProvider'> = {
  ...attributeCalls('cryptographyProvider'),
  listTokenInstances: { request: {}, answer: [token] },
  createTokenInstance: { request: { body: request }, answer: token },
  getTokenInstance: { request: { params }, answer: token },
  updateTokenInstance: { request: { params, body: request }, answer: token },
  removeTokenInstance: { request: { params }, answer: undefined },
  getTokenInstanceStatus: {
    request: { params },
    answer: { status: 'Activated', components: { slot: { status: 'Warning', details: { free: 1, of: [2, 3] } } } },
  },
  activateTokenInstance: { request: { params, body: values }, answer: undefined },
  listTokenInstanceActivationAttributes: definitionsOf(params),
  validateTokenInstanceActivationAttributes: checkOf(params),
  deactivateTokenInstance: { request: { params }, answer: undefined },
  listTokenProfileAttributes: definitionsOf(params),
  validateTokenProfileAttributes: checkOf(params),
  getCreateTokenAttributes: { request: { params: { option: 'new' } }, answer: definitions },
  listKeys: { request: { params }, answer: [publicKey, privateKey, secretKey] },
  getKey: { request: { params: ofKey }, answer: privateKey },
  destroyKey: { request: { params: ofKey }, answer: undefined },
  createKeyPair: {
    request: { params, body: creation },
    answer: { publicKeyData: publicKey, privateKeyData: privateKey },
  },
  listCreateKeyPairAttributes: definitionsOf(params),
  validateCreateKeyPairAttributes: checkOf(params),
  createSecretKey: { request: { params, body: creation }, answer: secretKey },
  listCreateSecretKeyAttributes: definitionsOf(params),
  validateCreateSecretKeyAttributes: checkOf(params),
  encryptData: {
    request: { params: ofKey, body: { cipherAttributes: values, cipherData: sent } },
    answer: { encryptedData: answered },
  },
  decryptData: {
    request: { params: ofKey, body: { cipherAttributes: values, cipherData: sent } },
    answer: { decryptedData: answered },
  },
  signData: {
    request: { params: ofKey, body: { signatureAttributes: values, data: sent } },
    answer: { signatures: answered },
  },
  verifyData: {
    request: { params: ofKey, body: { signatureAttributes: values, data: sent, signatures: sent } },
    answer: { verifications: [{ result: false, identifier: 'first', details: { reason: 'another key' } }] },
  },
  randomData: { request: { params, body: { length: 3, attributes: values } }, answer: { data: 'AAEC' } },
  listRandomAttributes: definitionsOf(params),
  validateRandomAttributes: checkOf(params),
};
