// Key operations.
import { randomUUID } from 'node:crypto';
import { notFound, type CallFacts, type FunctionHandlers } from '@signetry/connector-sdk';
import type { CreateKeyRequestDto, KeyDataResponseDto, KeyPairDataResponseDto } from '@signetry/contract';
import { pairAttributes, readPairOptions, readSecretOptions, secretAttributes } from './attributes/key-attributes.ts';
import { withoutSecrets } from './attributes/without-secrets.ts';
import { createPair, createSecret } from './keys/create-keys.ts';
import { destroyKey } from './keys/destroy-key.ts';
import { presentKey } from './keys/present-key.ts';
import type { ConnectorParts } from './parts.ts';
import { isUuid } from './problems.ts';
import { findToken } from './token-handlers.ts';

export const keyHandlers = (parts: ConnectorParts) =>
  ({
    listKeys: async ({ params }) => {
      const { uuid } = await findToken(parts, params.uuid);
      return (await parts.keys.findAll(uuid)).map(presentKey);
    },
    getKey: async ({ params: { uuid: token, keyUuid: key } }) => {
      const row = isUuid(token) && isUuid(key) ? await parts.keys.find({ token, key }) : undefined;
      if (!row) throw notFound('Key', key);
      return presentKey(row);
    },
    destroyKey: ({ params }) => destroyKey(parts, { token: params.uuid, key: params.keyUuid }),
    listCreateKeyPairAttributes: async ({ params }) =>
      pairAttributes((await findToken(parts, params.uuid)).allows_import),
    validateCreateKeyPairAttributes: async ({ params, body }) => {
      readPairOptions(body, (await findToken(parts, params.uuid)).allows_import);
    },
    createKeyPair: (call) => createPairOnce(parts, call),
    listCreateSecretKeyAttributes: async ({ params }) => {
      await findToken(parts, params.uuid);
      return secretAttributes();
    },
    validateCreateSecretKeyAttributes: async ({ params, body }) => {
      await findToken(parts, params.uuid);
      readSecretOptions(body);
    },
    createSecretKey: (call) => createSecretOnce(parts, call),
  }) satisfies Partial<FunctionHandlers<'cryptographyProvider'>>;

interface CreateCall extends CallFacts {
  readonly params: { readonly uuid: string };
  readonly body: CreateKeyRequestDto;
}

/** Returns the content that distinguishes requests with the same idempotency key. */
const requestOf = (token: string, { createKeyAttributes }: CreateKeyRequestDto) => ({
  token,
  attributes: withoutSecrets(createKeyAttributes),
});

async function createPairOnce(parts: ConnectorParts, call: CreateCall): Promise<KeyPairDataResponseDto> {
  const { uuid: token, allows_import } = await findToken(parts, call.params.uuid);
  const wish = readPairOptions(call.body.createKeyAttributes, allows_import);
  return parts.idempotency.carryOut(
    { operation: 'createKeyPair', key: call.idempotencyKey, request: requestOf(token, call.body) },
    {
      prepare: () => ({ association: randomUUID(), publicKey: randomUUID(), privateKey: randomUUID() }),
      perform: async (ids) => {
        const { publicKey, privateKey } = await createPair(parts, token, ids, wish);
        return { publicKeyData: presentKey(publicKey), privateKeyData: presentKey(privateKey) };
      },
    },
  );
}

async function createSecretOnce(parts: ConnectorParts, call: CreateCall): Promise<KeyDataResponseDto> {
  const { uuid: token } = await findToken(parts, call.params.uuid);
  const wish = readSecretOptions(call.body.createKeyAttributes);
  return parts.idempotency.carryOut(
    { operation: 'createSecretKey', key: call.idempotencyKey, request: requestOf(token, call.body) },
    {
      prepare: () => ({ uuid: randomUUID() }),
      perform: async ({ uuid }) => presentKey(await createSecret(parts, token, uuid, wish)),
    },
  );
}
