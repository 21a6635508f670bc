// Access to authorities, for higher-tier areas and the use cases in this area: facts about authorities, and calls to
// their connectors.
import {
  authorityProviderOperations,
  type BaseAttributeDto,
  type FunctionGroupCode,
  type RequestAttributeDto,
} from '@signetry/contract';
import { AppError, notFound } from '../../kernel/errors.ts';
import { createExpiringCache, type ExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, CredentialUse } from '../attributes/index.ts';
import { CONNECTION_TTL_MS, type ConnectorClient, type Connectors } from '../connectors/index.ts';
import { definitionsOrDefault, validateOrCheck } from './legacy-profiles.ts';
import { expandPlaceholders, withPlatformUrls } from './placeholders.ts';
import { authorities } from './store.ts';

/** Facts about an authority that are available without a connector call. */
export interface AuthorityFacts {
  readonly uuid: string;
  readonly name: string;
  readonly kind: string;
  /** Null if the connector was forcibly removed. */
  readonly connectorUuid: string | null;
  /** The authority's identifier at its connector. */
  readonly connectorAuthorityUuid: string;
  /** Whether the authority's connector implements v1 of the interface. */
  readonly isLegacy: boolean;
  /** Features that the authority's connector declares for authorities. */
  readonly features: readonly string[];
}

/** An authority that has a connector. */
export type ReachableAuthority = AuthorityFacts & { readonly connectorUuid: string };

interface Areas {
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
}

interface AccessParts extends Areas {
  readonly platform: Platform;
  readonly cache: ExpiringCache<string, AuthorityFacts>;
}

/** Caller that supplies an RA profile's attributes, with its abort signal. */
interface Caller extends CredentialUse {
  readonly signal?: AbortSignal | undefined;
}

/** An RA profile's attributes, and which of them to complete. Default: all. */
interface ProfileCompletion {
  readonly given: readonly RequestAttributeDto[];
  readonly of?: (name: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export type AuthorityAccess = ReturnType<typeof createAuthorityAccess>;

export function createAuthorityAccess(platform: Platform, areas: Areas) {
  const cache = createExpiringCache({
    clock: platform.clock,
    ttlMs: CONNECTION_TTL_MS,
    load: (uuid: string) => load(parts, uuid),
  });
  const parts: AccessParts = { platform, ...areas, cache };

  return {
    /** Throws 404 if it does not exist. Cached for seconds. */
    find: (uuid: string): Promise<AuthorityFacts> => cache.get(uuid),
    functionGroupOf: (connectorUuid: string, kind: string) => functionGroupOf(areas.connectors, connectorUuid, kind),
    reach: (uuid: string) => reach(parts, uuid),
    /** Returns the attribute definitions for the authority's RA profiles. */
    raProfileDefinitions: (uuid: string, signal?: AbortSignal) => raProfileDefinitions(parts, uuid, signal),
    /**
     * Validates RA profile attributes. The connector receives them with placeholders replaced, as in every later call.
     * Returns the attributes to be stored, with their placeholders.
     */
    acceptRaProfileAttributes: (uuid: string, requested: readonly RequestAttributeDto[], caller: Caller = {}) =>
      acceptRaProfileAttributes(parts, { uuid, requested, caller }),
    /** Returns RA profile attributes, adding the platform's URLs where none are specified. */
    completeRaProfileAttributes: (uuid: string, completion: ProfileCompletion) =>
      completeRaProfileAttributes(parts, uuid, completion),
    /** Returns RA profile attributes in the form sent to the connector. */
    raProfileAttributesToSend: (uuid: string, stored: readonly RequestAttributeDto[]) =>
      areas.attributes.expandCredentials(withoutPlaceholders(platform, uuid, stored)),
    invalidate: (uuid: string): void => cache.invalidate(uuid),
  };
}

async function load({ platform, connectors }: AccessParts, uuid: string): Promise<AuthorityFacts> {
  const row = await authorities.findOne(platform.database.executor, uuid);
  if (!row) throw notFound('Authority', uuid);
  const group =
    row.connector_uuid === null ? undefined : await functionGroupOf(connectors, row.connector_uuid, row.kind);
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

/** Returns the function group in which a connector offers authorities of a kind. */
async function functionGroupOf(connectors: Connectors, connectorUuid: string, kind: string) {
  const { functionGroups } = await connectors.facts(connectorUuid);
  const offers = (code: FunctionGroupCode) =>
    functionGroups.find((group) => group.code === code && group.kinds.includes(kind));
  return offers('authorityProvider') ?? offers('legacyAuthorityProvider');
}

async function reach(
  { cache, connectors }: AccessParts,
  uuid: string,
): Promise<{ authority: ReachableAuthority; client: ConnectorClient; params: { uuid: string } }> {
  const authority = await cache.get(uuid);
  assertReachable(authority);
  const client = await connectors.client(authority.connectorUuid);
  return { authority, client, params: { uuid: authority.connectorAuthorityUuid } };
}

function assertReachable(authority: AuthorityFacts): asserts authority is ReachableAuthority {
  if (authority.connectorUuid !== null) return;
  throw new AppError('invalid_state', {
    what: 'Authority',
    name: authority.name,
    state: 'without a connector',
    needed: 'a connector',
  });
}

async function raProfileDefinitions(
  parts: AccessParts,
  uuid: string,
  signal?: AbortSignal,
): Promise<BaseAttributeDto[]> {
  const { authority, client, params } = await reach(parts, uuid);
  const ask = () => client.call(authorityProviderOperations.listRAProfileAttributes, { params }, { signal });
  return authority.isLegacy ? definitionsOrDefault(ask, { client, params }, signal) : ask();
}

async function acceptRaProfileAttributes(
  parts: AccessParts,
  given: { readonly uuid: string; readonly requested: readonly RequestAttributeDto[]; readonly caller: Caller },
): Promise<RequestAttributeDto[]> {
  const { platform, connectors } = parts;
  const { uuid: authorityUuid, requested, caller } = given;
  const { signal, actor, before } = caller;
  const { authority, client, params } = await reach(parts, authorityUuid);
  const list = () => raProfileDefinitions(parts, authorityUuid, signal);
  const accepted = await connectors.accept(
    {
      connectorUuid: authority.connectorUuid,
      actor,
      before,
      validate: (body) => {
        const validateRemotely = () =>
          client.call(authorityProviderOperations.validateRAProfileAttributes, { params, body: [...body] }, { signal });
        return authority.isLegacy ? validateOrCheck(validateRemotely, body, list) : validateRemotely();
      },
      list,
    },
    withoutPlaceholders(platform, authorityUuid, requested),
  );
  return accepted.map(({ uuid, name, contentType, content }) => {
    const withPlaceholders = requested.find((attribute) => attribute.name === name)?.content;
    return { uuid, name, contentType, content: withPlaceholders ?? content };
  });
}

async function completeRaProfileAttributes(
  parts: AccessParts,
  authorityUuid: string,
  { given, of = () => true, signal }: ProfileCompletion,
): Promise<RequestAttributeDto[]> {
  const definitions = await raProfileDefinitions(parts, authorityUuid, signal);
  return withPlatformUrls(
    given,
    definitions.filter(({ name }) => of(name)),
  );
}

const withoutPlaceholders = (
  { publicUrl, revocationUrl }: Platform,
  authority: string,
  requested: readonly RequestAttributeDto[],
): RequestAttributeDto[] =>
  expandPlaceholders(requested, { publicUrl: publicUrl(), revocationUrl: revocationUrl(), authority });
