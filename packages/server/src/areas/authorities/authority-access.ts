// The authority as higher areas and the use cases here meet it: which one it is, and how its connector is called about
// it.
import {
  authorityProviderOperations,
  type BaseAttributeDto,
  type FunctionGroupCode,
  type RequestAttributeDto,
} from '@signetry/contract';
import { AppError, notFound } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { CONNECTION_TTL_MS, type ConnectorClient, type Connectors } from '../connectors/index.ts';
import { expandPlaceholders, withPlatformAddresses } from './placeholders.ts';
import { authorities } from './store.ts';
import type { AuthorityRow } from './tables.ts';

/** What is known about an authority without a call. */
export interface AuthorityFacts {
  readonly uuid: string;
  readonly name: string;
  readonly kind: string;
  /** Empty when the connector was removed by force. */
  readonly connectorUuid: string | null;
  /** Identifier of the authority at its connector. */
  readonly connectorAuthorityUuid: string;
  /** Its connector is of the first generation. */
  readonly isLegacy: boolean;
  /** Abilities that its connector declares for authorities. */
  readonly features: readonly string[];
}

/** An authority whose connector is there. */
export type ReachableAuthority = AuthorityFacts & { readonly connectorUuid: string };

export type AuthorityAccess = ReturnType<typeof createAuthorityAccess>;

export function createAuthorityAccess(
  platform: Platform,
  areas: { readonly attributes: AttributeEngine; readonly connectors: Connectors },
) {
  const { database, clock, publicUrl } = platform;
  const { attributes, connectors } = areas;

  const cache = createExpiringCache({
    clock,
    ttlMs: CONNECTION_TTL_MS,
    load: async (uuid: string): Promise<AuthorityFacts> => {
      const row = await authorities.findOne(database.executor, uuid);
      if (!row) throw notFound('Authority', uuid);
      return factsOf(row);
    },
  });

  async function factsOf(row: AuthorityRow): Promise<AuthorityFacts> {
    const group = row.connector_uuid === null ? undefined : await functionGroupOf(row.connector_uuid, row.kind);
    return {
      uuid: row.uuid,
      name: row.name,
      kind: row.kind,
      connectorUuid: row.connector_uuid,
      connectorAuthorityUuid: row.connector_authority_uuid,
      isLegacy: group?.code === 'legacyAuthorityProvider',
      features: group?.features ?? [],
    };
  }

  /** The function group in which a connector offers authorities of a kind. */
  async function functionGroupOf(connectorUuid: string, kind: string) {
    const { functionGroups } = await connectors.facts(connectorUuid);
    const offers = (code: FunctionGroupCode) =>
      functionGroups.find((group) => group.code === code && group.kinds.includes(kind));
    return offers('authorityProvider') ?? offers('legacyAuthorityProvider');
  }

  function assertReachable(authority: AuthorityFacts): asserts authority is ReachableAuthority {
    if (authority.connectorUuid !== null) return;
    throw new AppError('invalid_state', {
      what: 'Authority',
      name: authority.name,
      state: 'without its connector',
      needed: 'a connector',
    });
  }

  async function reach(
    uuid: string,
  ): Promise<{ authority: ReachableAuthority; client: ConnectorClient; params: { uuid: string } }> {
    const authority = await cache.get(uuid);
    assertReachable(authority);
    const client = await connectors.client(authority.connectorUuid);
    return { authority, client, params: { uuid: authority.connectorAuthorityUuid } };
  }

  /** Definitions that RA profiles of the authority are made by. */
  async function raProfileDefinitions(uuid: string, signal?: AbortSignal): Promise<BaseAttributeDto[]> {
    const { client, params } = await reach(uuid);
    return client.call(authorityProviderOperations.listRAProfileAttributes, { params }, { signal });
  }

  /**
   * Judges attributes of an RA profile: the connector sees them with placeholders replaced, as it will at every later
   * call; answers them with the placeholders, to be stored.
   */
  async function acceptRaProfileAttributes(
    authorityUuid: string,
    requested: readonly RequestAttributeDto[],
    signal?: AbortSignal,
  ): Promise<RequestAttributeDto[]> {
    const { authority, client, params } = await reach(authorityUuid);
    const accepted = await connectors.accept(
      {
        connectorUuid: authority.connectorUuid,
        validate: (body) =>
          client.call(authorityProviderOperations.validateRAProfileAttributes, { params, body: [...body] }, { signal }),
        list: () => raProfileDefinitions(authorityUuid, signal),
      },
      withoutPlaceholders(authorityUuid, requested),
    );
    return accepted.map(({ uuid, name, contentType, content }) => {
      const withPlaceholders = requested.find((attribute) => attribute.name === name)?.content;
      return { uuid, name, contentType, content: withPlaceholders ?? content };
    });
  }

  /**
   * Attributes of an RA profile with the platform's addresses where none are given; `of` says for which attributes
   * only.
   */
  async function completeRaProfileAttributes(
    authorityUuid: string,
    facts: {
      readonly given: readonly RequestAttributeDto[];
      readonly of?: (name: string) => boolean;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<RequestAttributeDto[]> {
    const { given, of = () => true, signal } = facts;
    const definitions = await raProfileDefinitions(authorityUuid, signal);
    return withPlatformAddresses(
      given,
      definitions.filter(({ name }) => of(name)),
    );
  }

  const withoutPlaceholders = (uuid: string, requested: readonly RequestAttributeDto[]): RequestAttributeDto[] =>
    expandPlaceholders(requested, { publicUrl: publicUrl(), authority: uuid });

  return {
    /** 404 when there is none. Cached for seconds. */
    find: (uuid: string): Promise<AuthorityFacts> => cache.get(uuid),
    factsOf,
    functionGroupOf,
    reach,
    raProfileDefinitions,
    acceptRaProfileAttributes,
    completeRaProfileAttributes,
    /** Attributes of an RA profile in the form in which its connector gets them. */
    raProfileAttributesToSend: (uuid: string, stored: readonly RequestAttributeDto[]): Promise<RequestAttributeDto[]> =>
      attributes.expandCredentials(withoutPlaceholders(uuid, stored)),
    invalidate: (uuid: string): void => cache.invalidate(uuid),
  };
}
