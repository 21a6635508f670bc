// Use cases of tokens, which are stored at their connector. For the parts that all such objects share, see
// `connectors/instances`.
import {
  cryptographyProviderOperations,
  TRANSIENT_SECRETS_FEATURE,
  type OwnValues,
  type ProviderTokenInstanceDto,
  type RequestAttributeDto,
  type TokenInstanceDetailDto,
  type TokenInstanceDto,
  type TokenInstanceRequestDto,
  type TokenInstanceStatusDetailDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import {
  createInstance,
  editInstance,
  valueSetOf,
  type Connectors,
  type InstanceKind,
  type InstanceParts,
} from '../connectors/index.ts';
import { presentToken, presentTokenDetail } from './present.ts';
import { countProfiles, tokens } from './store.ts';
import type { TokenRow } from './tables.ts';
import { activationForm, type TokenAccess } from './token-access.ts';
import { readTokenStatus } from './token-status.ts';

export interface TokenServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly access: TokenAccess;
}

interface ServiceParts extends InstanceParts<TokenRow, ProviderTokenInstanceDto> {
  readonly connectors: Connectors;
  readonly access: TokenAccess;
}

const provider = cryptographyProviderOperations;

const TOKEN: InstanceKind<TokenRow, ProviderTokenInstanceDto> = {
  resource: 'tokens',
  objects: tokens,
  noun: 'token',
  remoteUuid: (row) => row.connector_token_uuid,
  calls: {
    create: (client, body, options) => client.call(provider.createTokenInstance, { body }, options),
    update: (client, { uuid, body }, options) =>
      client.call(provider.updateTokenInstance, { params: { uuid }, body }, options),
    remove: (client, uuid, options) => client.call(provider.removeTokenInstance, { params: { uuid } }, options),
  },
  functionGroupOf: () => Promise.resolve('cryptographyProvider'),
  removal: { begun: { removing: true }, givenUp: { removing: false } },
};

export type TokenService = ReturnType<typeof createTokenService>;

export function createTokenService(platform: Platform, areas: TokenServiceParts) {
  const service: ServiceParts = {
    platform,
    ...areas,
    values: areas.attributes.customValuesOf('tokens'),
    instance: TOKEN,
  };
  return {
    /** Used to remove tokens. */
    instances: service,
    list: () => list(service),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    async ownValues(uuid: string): Promise<OwnValues> {
      const { name, kind, connector_uuid: connectorUuid } = await tokens.require(platform.database.executor, uuid);
      return { name, kind, connectorUuid };
    },
    create: (request: TokenInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: TokenInstanceRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    reload: (uuid: string, context: RequestContext) => reload(service, uuid, context),
    activate: (uuid: string, given: readonly RequestAttributeDto[], context: RequestContext) =>
      activate(service, uuid, given, context),
    deactivate: (uuid: string, context: RequestContext) => deactivate(service, uuid, context),
  };
}

async function list({ platform }: ServiceParts): Promise<TokenInstanceDto[]> {
  const { executor } = platform.database;
  const rows = await tokens.findAll(executor);
  const profiles = await countProfiles(
    executor,
    rows.map(({ uuid }) => uuid),
  );
  return rows.map((row) => presentToken(row, profiles.get(row.uuid) ?? 0));
}

/** Returns the token as stored, with its current status at the provider. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenInstanceDetailDto> {
  const row = await tokens.require(service.platform.database.executor, uuid);
  return describe(service, row, { status: await readTokenStatus(service.connectors, row, context), context });
}

async function describe(
  { platform, attributes, instance, values }: ServiceParts,
  row: TokenRow,
  { status, context }: { readonly status: TokenInstanceStatusDetailDto; readonly context: RequestContext },
): Promise<TokenInstanceDetailDto> {
  const { executor } = platform.database;
  const { object, scope } = valueSetOf(instance, row);
  const [profiles, stored, metadata, customAttributes] = await Promise.all([
    countProfiles(executor, [row.uuid]),
    attributes.read(object, scope),
    attributes.readMetadata(object),
    values?.read(row.uuid, context) ?? [],
  ]);
  const shown = { profiles: profiles.get(row.uuid) ?? 0, status, attributes: stored };
  return { ...presentTokenDetail(row, shown), metadata, customAttributes };
}

async function create(
  service: ServiceParts,
  request: TokenInstanceRequestDto,
  context: RequestContext,
): Promise<TokenInstanceDetailDto> {
  const { attributes, connectors } = service;
  let status: TokenInstanceStatusDetailDto | undefined;
  const row = await createInstance(
    service,
    request,
    {
      rowOf: (common, { uuid }): TokenRow => ({
        ...common,
        connector_token_uuid: uuid,
        status: 'Unknown',
        removing: false,
      }),
      async complete(made, accepted) {
        status = await readTokenStatus(connectors, made, context);
        return { row: { ...made, status: status.status }, values: await storableAttributes(service, made, accepted) };
      },
      record: (tx, made, answer) => attributes.appendMetadata(tx, metadataOf(made, answer)),
    },
    context,
  );
  return describe(service, row, { status: status ?? (await readTokenStatus(connectors, row, context)), context });
}

/** Secrets that open a token are not stored, because the platform could otherwise open it without an operator. */
async function storableAttributes(
  { connectors }: ServiceParts,
  { connector_uuid: connectorUuid }: TokenRow,
  accepted: readonly RequestAttributeDto[],
): Promise<readonly RequestAttributeDto[]> {
  if (connectorUuid === null) return accepted;
  const { functionGroups } = await connectors.facts(connectorUuid);
  const group = functionGroups.find(({ code }) => code === 'cryptographyProvider');
  const needsSecrets = !group?.features.includes(TRANSIENT_SECRETS_FEATURE);
  return needsSecrets ? accepted : accepted.filter(({ contentType }) => contentType !== 'secret');
}

const metadataOf = (row: TokenRow, { metadata = [] }: ProviderTokenInstanceDto) =>
  row.connector_uuid === null
    ? []
    : [{ object: valueSetOf(TOKEN, row).object, connectorUuid: row.connector_uuid, metadata }];

async function edit(
  service: ServiceParts,
  uuid: string,
  request: TokenInstanceRequestDto,
  context: RequestContext,
): Promise<TokenInstanceDetailDto> {
  const { attributes } = service;
  await editInstance(service, uuid, request, {
    context,
    steps: {
      keep: (row, { accepted }) => storableAttributes(service, row, accepted),
      async record(tx, row, answer) {
        if (!answer || row.connector_uuid === null) return;
        await attributes.removeConnectorMetadata(tx, valueSetOf(TOKEN, row).object, row.connector_uuid);
        await attributes.appendMetadata(tx, metadataOf(row, answer));
      },
    },
  });
  service.access.invalidate(uuid);
  return refresh(service, uuid, context);
}

async function reload(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenInstanceDetailDto> {
  const { platform, audit } = service;
  const shown = await refresh(service, uuid, context);
  const { name, status } = shown;
  await audit.append(platform.database.executor, context, {
    objects: [{ uuid, name }],
    data: { status: status.status },
  });
  return shown;
}

/** Requests the status from the provider and stores it for display in lists. */
async function refresh(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenInstanceDetailDto> {
  const { database } = service.platform;
  const row = await tokens.require(database.executor, uuid);
  const status = await readTokenStatus(service.connectors, row, context);
  const kept = (await storeStatus(service, row, status)) ?? row;
  return describe(service, kept, { status, context });
}

/** An unresponsive provider reveals nothing about the token's status, so the stored status is kept. */
const storeStatus = (
  { platform }: ServiceParts,
  row: TokenRow,
  { status }: TokenInstanceStatusDetailDto,
): Promise<TokenRow | undefined> =>
  status === 'Unknown' || status === row.status
    ? Promise.resolve(row)
    : tokens.update(platform.database.executor, row.uuid, { status });

/** Values such as a PIN are passed on and never stored. */
async function activate(
  service: ServiceParts,
  uuid: string,
  given: readonly RequestAttributeDto[],
  context: RequestContext,
): Promise<void> {
  const { attributes, access } = service;
  const accepted = await access.accept(uuid, activationForm, { requested: given, caller: context });
  const body = await attributes.expandCredentials(accepted);
  const { client, params } = await access.reach(uuid);
  await client.call(provider.activateTokenInstance, { params, body }, { signal: context.signal });
  await recordChange(service, uuid, context);
}

async function deactivate(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { client, params } = await service.access.reach(uuid);
  await client.call(provider.deactivateTokenInstance, { params }, { signal: context.signal });
  await recordChange(service, uuid, context);
}

/** Records a change of the token at its provider. */
async function recordChange(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { platform, audit, connectors } = service;
  const row = await tokens.require(platform.database.executor, uuid);
  const { status } = await readTokenStatus(connectors, row, context);
  await platform.database.transaction(async (tx) => {
    await tokens.update(tx, uuid, { status, updated_at: platform.clock.now() });
    await audit.append(tx, context, { objects: [row] });
  });
}
