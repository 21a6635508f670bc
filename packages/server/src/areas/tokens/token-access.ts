// Access to tokens at their connectors, for other areas.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { cryptographyProviderOperations } from '@signetry/contract';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CredentialUse } from '../attributes/index.ts';
import {
  callFailureOf,
  CONNECTION_TTL_MS,
  isMissing,
  type ConnectorClient,
  type Connectors,
} from '../connectors/index.ts';
import { tokens } from './store.ts';

/** Properties that do not change while a token exists. */
export interface TokenFacts {
  readonly uuid: string;
  readonly name: string;
  readonly kind: string;
  /** Null if the connector has been removed. */
  readonly connectorUuid: string | null;
  /** Identifier of the token at its connector. */
  readonly connectorTokenUuid: string;
}

/** Token with a connector. */
export type ReachableToken = TokenFacts & { readonly connectorUuid: string };

export interface ReachedToken {
  readonly token: ReachableToken;
  readonly client: ConnectorClient;
  /** Path parameters for operations on the token. */
  readonly params: { readonly uuid: string };
}

/** The two connector operations for one of the token's forms. */
export interface TokenForm {
  readonly list: FormOperation<'list'>;
  readonly validate: FormOperation<'validate'>;
  /** Connectors need not offer the form: they return 404 or 501, and the form has no attributes. */
  readonly isOptional?: true;
  /** Objects that the form creates. A connector without the form does not offer them. */
  readonly creates?: string;
}

type Operations = typeof cryptographyProviderOperations;
type FormOperation<Part extends 'list' | 'validate'> = Part extends 'list'
  ? Operations[
      | 'listTokenInstanceActivationAttributes'
      | 'listTokenProfileAttributes'
      | 'listCreateKeyPairAttributes'
      | 'listCreateSecretKeyAttributes'
      | 'listRandomAttributes']
  : Operations[
      | 'validateTokenInstanceActivationAttributes'
      | 'validateTokenProfileAttributes'
      | 'validateCreateKeyPairAttributes'
      | 'validateCreateSecretKeyAttributes'
      | 'validateRandomAttributes'];

/** Caller who specifies the values of a form, and how long the caller waits. */
interface Caller extends CredentialUse {
  readonly signal?: AbortSignal | undefined;
}

export type TokenAccess = ReturnType<typeof createTokenAccess>;

export function createTokenAccess(platform: Platform, { connectors }: { readonly connectors: Connectors }) {
  const cache = createExpiringCache({
    clock: platform.clock,
    ttlMs: CONNECTION_TTL_MS,
    load: (uuid: string) => load(platform, uuid),
  });

  async function reach(uuid: string): Promise<ReachedToken> {
    const token = await cache.get(uuid);
    assertReachable(token);
    const client = await connectors.client(token.connectorUuid);
    return { token, client, params: { uuid: token.connectorTokenUuid } };
  }

  /** Returns the form's attributes as its connector currently defines them; none if it does not offer the form. */
  async function definitions(uuid: string, form: TokenForm, signal?: AbortSignal): Promise<BaseAttributeDto[]> {
    const { client, params } = await reach(uuid);
    return client.call(form.list, { params }, { signal }).catch((error: unknown) => {
      if (form.isOptional && isMissing(error)) return [];
      throw error;
    });
  }

  /** Validates a form's values with the connector and on the platform (422). */
  async function accept(
    uuid: string,
    form: TokenForm,
    { requested, caller }: { readonly requested: readonly RequestAttributeDto[]; readonly caller: Caller },
  ): Promise<RequestAttributeDto[]> {
    const { token, client, params } = await reach(uuid);
    const { signal, actor, before } = caller;
    return connectors.accept(
      {
        connectorUuid: token.connectorUuid,
        actor,
        before,
        validate: (body) => client.call(form.validate, { params, body: [...body] }, { signal }),
        list: () => listForUse({ client, params }, form, signal),
      },
      requested,
    );
  }

  return {
    /** Throws 404 if the token does not exist. The result is cached for a few seconds. */
    find: (uuid: string): Promise<TokenFacts> => cache.get(uuid),
    reach,
    definitions,
    accept,
    invalidate: (uuid: string): void => cache.invalidate(uuid),
  };
}

/** Returns the attributes of a form that is about to be used; 422 if the connector does not offer what it creates. */
async function listForUse(
  { client, params }: Pick<ReachedToken, 'client' | 'params'>,
  { list, isOptional, creates }: TokenForm,
  signal: AbortSignal | undefined,
): Promise<BaseAttributeDto[]> {
  try {
    return await client.call(list, { params }, { signal });
  } catch (error) {
    if (!isOptional || !isMissing(error)) throw error;
    if (creates === undefined) return [];
    const reason = callFailureOf(error)?.remoteMessage;
    const reported = reason === undefined ? '' : `: it reported "${reason.replace(/\.$/, '')}"`;
    throw rejected(`Connector ${client.name} does not offer ${creates}${reported}.`);
  }
}

async function load({ database }: Platform, uuid: string): Promise<TokenFacts> {
  const row = await tokens.findOne(database.executor, uuid);
  if (!row) throw notFound(tokens.what, uuid);
  return {
    uuid: row.uuid,
    name: row.name,
    kind: row.kind,
    connectorUuid: row.connector_uuid,
    connectorTokenUuid: row.connector_token_uuid,
  };
}

function assertReachable(token: TokenFacts): asserts token is ReachableToken {
  if (token.connectorUuid !== null) return;
  throw new AppError('invalid_state', {
    what: tokens.what,
    name: token.name,
    state: 'without a connector',
    needed: 'a connector',
  });
}

const {
  listTokenInstanceActivationAttributes,
  validateTokenInstanceActivationAttributes,
  listTokenProfileAttributes,
  validateTokenProfileAttributes,
} = cryptographyProviderOperations;

export const activationForm: TokenForm = {
  list: listTokenInstanceActivationAttributes,
  validate: validateTokenInstanceActivationAttributes,
};

export const profileForm: TokenForm = { list: listTokenProfileAttributes, validate: validateTokenProfileAttributes };
