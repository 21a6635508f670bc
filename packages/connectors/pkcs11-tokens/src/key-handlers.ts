// Operations on keys, and operations that use them.
import { rejected, type FunctionHandlers } from '@signetry/connector-sdk';
import { toBase64 } from '@signetry/pki';
import { createKeyPair, createSecretKey } from './keys/create-keys.ts';
import { keyPairForm, secretKeyForm } from './keys/key-form.ts';
import { presentKey } from './keys/key-rows.ts';
import { offeredPairs, offeredSecrets } from './keys/key-specs.ts';
import { destroyKey, listKeys } from './keys/keys.ts';
import { decryptData, encryptData } from './operations/cipher.ts';
import { signData, verifyData } from './operations/sign.ts';
import type { ConnectorParts } from './parts.ts';

type Handlers = FunctionHandlers<'cryptographyProvider'>;

/** Larger amounts require multiple calls: the token generates random bytes sequentially. */
const MAX_RANDOM = 65_536;

export const keyHandlers = ({ access, keys }: ConnectorParts) =>
  ({
    listKeys: async ({ params }) => (await listKeys(keys, await access.get(params.uuid))).map(presentKey),
    getKey: async ({ params }) => presentKey(await keys.find(await access.get(params.uuid), params.keyUuid)),
    destroyKey: async ({ params }) => destroyKey(keys, await access.get(params.uuid), params.keyUuid),
    listCreateKeyPairAttributes: async ({ params }) =>
      keyPairForm(offeredPairs(await keys.mechanisms(await access.get(params.uuid)))),
    createKeyPair: async ({ params, body }) => {
      const made = await createKeyPair(keys, await access.get(params.uuid), body.createKeyAttributes);
      return { publicKeyData: presentKey(made.publicKey), privateKeyData: presentKey(made.privateKey) };
    },
    listCreateSecretKeyAttributes: async ({ params }) =>
      secretKeyForm(offeredSecrets(await keys.mechanisms(await access.get(params.uuid)))),
    createSecretKey: async ({ params, body }) =>
      presentKey(await createSecretKey(keys, await access.get(params.uuid), body.createKeyAttributes)),
    signData: async ({ params, body }) =>
      signData(keys, { token: await access.get(params.uuid), keyUuid: params.keyUuid }, body),
    verifyData: async ({ params, body }) =>
      verifyData(keys, { token: await access.get(params.uuid), keyUuid: params.keyUuid }, body),
    encryptData: async ({ params, body }) =>
      encryptData(keys, { token: await access.get(params.uuid), keyUuid: params.keyUuid }, body),
    decryptData: async ({ params, body }) =>
      decryptData(keys, { token: await access.get(params.uuid), keyUuid: params.keyUuid }, body),
    listRandomAttributes: async ({ params }) => {
      await access.get(params.uuid);
      return [];
    },
    randomData: async ({ params, body }) => {
      const { length } = body;
      if (length < 1 || length > MAX_RANDOM)
        throw rejected(`The number of random bytes must be between 1 and ${MAX_RANDOM} per call.`);
      const random = await access.call(await access.get(params.uuid), 'random', { length });
      return { data: toBase64(Uint8Array.from(random)) };
    },
  }) satisfies Partial<Handlers>;
