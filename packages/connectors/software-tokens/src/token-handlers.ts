// Token operations.
import { randomUUID } from 'node:crypto';
import { notFound, rejectIf, type CallFacts, type FunctionHandlers } from '@signetry/connector-sdk';
import type { ProviderTokenInstanceDto, ProviderTokenInstanceRequestDto } from '@signetry/contract';
import { nameProblems } from './attributes/key-attributes.ts';
import {
  activationAttributes,
  readActivationCode,
  readTokenSpec,
  tokenAttributes,
} from './attributes/token-attributes.ts';
import { withoutSecrets } from './attributes/without-secrets.ts';
import type { ConnectorParts } from './parts.ts';
import { isUuid } from './problems.ts';
import { activateToken, deactivateToken, removeToken } from './tokens/activate-token.ts';
import { createToken } from './tokens/create-token.ts';
import { presentToken } from './tokens/present-token.ts';
import { tokenStatus } from './tokens/token-status.ts';
import type { TokenRow } from './tokens/token-store.ts';
import { updateToken } from './tokens/update-token.ts';

/** Throws 404 if the token does not exist. */
export async function findToken({ store }: ConnectorParts, uuid: string): Promise<TokenRow> {
  const row = isUuid(uuid) ? await store.find(uuid) : undefined;
  if (!row) throw notFound('Token', uuid);
  return row;
}

export const tokenHandlers = (parts: ConnectorParts) =>
  ({
    listAttributeDefinitions: () => tokenAttributes(),
    validateAttributes: ({ body }) => {
      readTokenSpec(body, 'check');
    },
    listTokenInstances: async () => (await parts.store.findAll()).map(presentToken),
    createTokenInstance: (call) => createInstance(parts, call),
    getTokenInstance: async ({ params }) => presentToken(await findToken(parts, params.uuid)),
    updateTokenInstance: async ({ params, body }) => {
      rejectIf(nameProblems(body.name, 'The token name'));
      await updateToken(parts, await findToken(parts, params.uuid), body);
      return presentToken(await findToken(parts, params.uuid));
    },
    removeTokenInstance: ({ params }) => removeToken(parts, params.uuid),
    getTokenInstanceStatus: async ({ params }) => tokenStatus(parts, await findToken(parts, params.uuid)),
    activateTokenInstance: ({ params, body }) => activateToken(parts, params.uuid, readActivationCode(body)),
    listTokenInstanceActivationAttributes: async ({ params }) => {
      await findToken(parts, params.uuid);
      return activationAttributes();
    },
    deactivateTokenInstance: ({ params }) => deactivateToken(parts, params.uuid),
    listTokenProfileAttributes: async ({ params }) => {
      await findToken(parts, params.uuid);
      return [];
    },
  }) satisfies Partial<FunctionHandlers<'cryptographyProvider'>>;

interface CreateCall extends CallFacts {
  readonly body: ProviderTokenInstanceRequestDto;
}

/** Creates one token per idempotency key. */
function createInstance(
  parts: ConnectorParts,
  { body, idempotencyKey }: CreateCall,
): Promise<ProviderTokenInstanceDto> {
  const { name, attributes } = body;
  rejectIf(nameProblems(name, 'The token name'));
  const wish = readTokenSpec(attributes, 'create');
  return parts.idempotency.carryOut(
    // The code is removed first, because the journal stores a digest of the request from which the code could be
    // guessed.
    {
      operation: 'createTokenInstance',
      key: idempotencyKey,
      request: { ...body, attributes: withoutSecrets(attributes) },
    },
    {
      prepare: () => ({ uuid: randomUUID() }),
      perform: async ({ uuid }) => presentToken(await createToken(parts, { uuid, name, wish })),
    },
  );
}
