// A connector that stores its keys in memory and actually signs, encrypts and decrypts.
import {
  constants,
  createHmac,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import {
  dataAttribute,
  defineConnector,
  instancesInMemory,
  notFound,
  readValue,
  rejectIf,
  validateAttributes,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { KeyDataResponseDto } from '@signetry/contract';
import { parsePublicKey, toBase64 } from '@signetry/pki';
import { generateKeyPair, importPublicKey, nodeCrypto } from '@signetry/pki/node';
import { signatureRules } from '../certificates/signatures.ts';

const algorithm = dataAttribute({
  uuid: '0193f0a2-7171-7000-8000-000000000001',
  name: 'data_algorithm',
  label: 'Algorithm',
  contentType: 'string',
  required: true,
  choices: ['RSA-2048', 'P-256', 'ML-DSA-65'],
});
const code = dataAttribute({
  uuid: '0193f0a2-7171-7000-8000-000000000002',
  name: 'data_code',
  label: 'Activation code',
  contentType: 'secret',
  required: true,
});

interface StoredKey {
  readonly shown: KeyDataResponseDto;
  readonly spki: Uint8Array;
  /** Absent if the key is not used. */
  readonly key: KeyObject | undefined;
}

const octets = (text: string): Buffer => Buffer.from(text, 'base64');

/** RFC 8017 §7.1. */
const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

type Handlers = FunctionHandlers<'cryptographyProvider'>;

/** Creates the state that the groups of handlers share. */
function createStore() {
  const tokens = instancesInMemory('Token', () => [code]);
  const keys = new Map<string, StoredKey>();
  const keyOf = ({ uuid, keyUuid }: { uuid: string; keyUuid: string }): StoredKey => {
    tokens.find(uuid);
    const found = keys.get(keyUuid);
    if (!found) throw notFound('Key', keyUuid);
    return found;
  };
  return { tokens, active: new Set<string>(), keys, keyOf };
}

type Store = ReturnType<typeof createStore>;

const handlers = (): Handlers => {
  const store = createStore();
  return { ...tokenHandlers(store), ...keyHandlers(store), ...operationHandlers(store) };
};

const show = ({ uuid, name }: { uuid: string; name: string }) => ({ uuid, name });

function tokenHandlers({ tokens, active }: Store) {
  return {
    listAttributeDefinitions: () => [code],
    listTokenInstances: () => tokens.list().map(show),
    createTokenInstance: (call) => show(tokens.create(call)),
    getTokenInstance: (call) => show(tokens.get(call)),
    updateTokenInstance: (call) => show(tokens.update(call)),
    removeTokenInstance: tokens.remove,
    getTokenInstanceStatus: ({ params }) => {
      tokens.find(params.uuid);
      return { status: active.has(params.uuid) ? 'Activated' : 'Deactivated' };
    },
    activateTokenInstance: ({ params, body }) => {
      tokens.find(params.uuid);
      rejectIf(validateAttributes([code], body));
      active.add(params.uuid);
    },
    listTokenInstanceActivationAttributes: () => [code],
    deactivateTokenInstance: ({ params }) => void active.delete(params.uuid),
    listTokenProfileAttributes: () => [],
  } satisfies Partial<Handlers>;
}

function keyHandlers({ tokens, keys, keyOf }: Store) {
  return {
    listKeys: () => [...keys.values()].map(({ shown }) => shown),
    getKey: ({ params }) => keyOf(params).shown,
    destroyKey: ({ params }) => void keys.delete(params.keyUuid),
    listCreateKeyPairAttributes: () => [algorithm],
    createKeyPair: async ({ params, body }) => {
      tokens.find(params.uuid);
      rejectIf(validateAttributes([algorithm], body.createKeyAttributes));
      const spec = readValue(body.createKeyAttributes, algorithm);
      const { privateKey, spki } = await generateKeyPair(spec === 'P-256' || spec === 'ML-DSA-65' ? spec : 'RSA-2048');
      const [publicKeyData, privateKeyData] = presentPair(spki);
      keys.set(publicKeyData.uuid, { shown: publicKeyData, spki, key: undefined });
      keys.set(privateKeyData.uuid, { shown: privateKeyData, spki, key: privateKey });
      return { publicKeyData, privateKeyData };
    },
    listCreateSecretKeyAttributes: () => [],
    createSecretKey: () => {
      const uuid = randomUUID();
      const value = { values: {} };
      const keyData = { type: 'Secret', algorithm: 'Unknown', format: 'Custom', value, length: 256 } as const;
      keys.set(uuid, { shown: { uuid, name: 'secret', keyData }, spki: new Uint8Array(), key: undefined });
      return { uuid, name: 'secret', keyData };
    },
  } satisfies Partial<Handlers>;
}

function presentPair(spki: Uint8Array): readonly [KeyDataResponseDto, KeyDataResponseDto] {
  const { family } = parsePublicKey(spki);
  const shared = { name: 'pair', association: randomUUID() };
  const facts = { algorithm: family === 'RSA' || family === 'ECDSA' ? family : ('ML-DSA' as const), length: 256 };
  const encoded = { value: toBase64(spki) };
  const handle = { values: { handle: '1' } };
  return [
    {
      ...shared,
      uuid: randomUUID(),
      keyData: { ...facts, type: 'Public', format: 'SubjectPublicKeyInfo', value: encoded },
    },
    { ...shared, uuid: randomUUID(), keyData: { ...facts, type: 'Private', format: 'Custom', value: handle } },
  ];
}

interface Item {
  readonly data: string;
  readonly identifier?: string | undefined;
}

const mapItems = (items: readonly Item[], of: (data: Buffer) => Uint8Array) =>
  items.map(({ data, identifier }) => ({ data: toBase64(of(octets(data))), identifier }));

function operationHandlers({ keyOf }: Store) {
  const verify = (spki: Uint8Array, data: Buffer, signature: Buffer): boolean => {
    const rules = signatureRules(spki);
    return rules !== undefined && nodeCrypto.verify(spki, { algorithm: rules.algorithm, data, signature });
  };
  return {
    encryptData: ({ params, body }) => {
      const key = importPublicKey(keyOf(params).spki);
      if (!key) throw notFound('Key', params.keyUuid);
      return { encryptedData: mapItems(body.cipherData, (data) => publicEncrypt({ key, ...oaep }, data)) };
    },
    decryptData: ({ params, body }) => {
      const { key } = keyOf(params);
      if (!key) throw notFound('Key', params.keyUuid);
      return { decryptedData: mapItems(body.cipherData, (data) => privateDecrypt({ key, ...oaep }, data)) };
    },
    signData: ({ params, body }) => {
      const { key, spki } = keyOf(params);
      const rules = signatureRules(spki);
      if (!key || !rules) throw notFound('Key', params.keyUuid);
      return { signatures: mapItems(body.data, (data) => nodeCrypto.sign(key, { algorithm: rules.algorithm, data })) };
    },
    verifyData: ({ params, body }) => ({
      verifications: body.data.map(({ data, identifier }, place) => ({
        result: verify(keyOf(params).spki, octets(data), octets(body.signatures[place]?.data ?? '')),
        identifier,
      })),
    }),
    randomData: ({ body }) => ({ data: toBase64(randomBytes(body.length)) }),
    listRandomAttributes: () => [],
  } satisfies Partial<Handlers>;
}

/** The optional fault returns signatures of a different key, which only verification detects. */
export const sampleKeys = (fault?: 'signature of another key') =>
  defineConnector({
    name: 'sample-keys',
    functions: { cryptographyProvider: { kinds: ['Memory'] } },
    create: () => {
      const sound = handlers();
      const signData: typeof sound.signData = ({ body }) => ({
        signatures: mapItems(body.data, (data) => createHmac('sha256', 'another key').update(data).digest()),
      });
      return { functions: { cryptographyProvider: fault ? { ...sound, signData } : sound } };
    },
  });
