// Use cases of tokens. The connector is called before or between transactions, never inside one.
import {
  cryptographyProviderOperations,
  TRANSIENT_SECRETS_FEATURE,
  type ProviderTokenInstanceDto,
  type RequestAttributeDto,
  type TokenInstanceDetailDto,
  type TokenInstanceDto,
  type TokenInstanceRequestDto,
  type TokenInstanceStatusDetailDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, isAppError, judgedTogether, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-errors.ts';
import { createEditClaims, type EditClaims } from '../../platform/objects/one-edit-at-a-time.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  leftOutData,
  type AcceptedCustomValues,
  type AttributeEngine,
  type CredentialUse,
  type CustomValues,
} from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf, type Connectors } from '../connectors/index.ts';
import { presentToken, presentTokenDetail } from './present.ts';
import { countProfiles, tokens } from './store.ts';
import type { TokenRow } from './tables.ts';
import { activationForm, type TokenAccess } from './token-access.ts';
import { lookAtToken } from './token-status.ts';

export interface TokenServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly access: TokenAccess;
}

interface ServiceParts extends TokenServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
  readonly edits: EditClaims;
}

const provider = cryptographyProviderOperations;

export type TokenService = ReturnType<typeof createTokenService>;

export function createTokenService(platform: Platform, parts: TokenServiceParts) {
  const service: ServiceParts = {
    platform,
    ...parts,
    values: parts.attributes.customValuesOf('tokens'),
    edits: createEditClaims(platform, tokens),
  };
  return {
    list: () => list(service),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: TokenInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: TokenInstanceRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    reload: (uuid: string, context: RequestContext) => reload(service, uuid, context),
    activate: (uuid: string, given: readonly RequestAttributeDto[], context: RequestContext) =>
      activate(service, uuid, given, context),
    deactivate: (uuid: string, context: RequestContext) => deactivate(service, uuid, context),
    removeAtConnector: (row: TokenRow, context: RequestContext) => removeAtConnector(service, row, context),
  };
}

async function list({ platform }: ServiceParts): Promise<TokenInstanceDto[]> {
  const { executor } = platform.database;
  const rows = await tokens.findAll(executor);
  const profiles = await countProfiles(executor, rows.map(({ uuid }) => uuid)); // prettier-ignore
  return rows.map((row) => presentToken(row, profiles.get(row.uuid) ?? 0));
}

/** What the platform keeps, together with what its provider says now. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenInstanceDetailDto> {
  const row = await tokens.require(service.platform.database.executor, uuid);
  return describe(service, row, { status: await lookAtToken(service.connectors, row, context), context });
}

async function describe(
  { platform, attributes, values }: ServiceParts,
  row: TokenRow,
  { status, context }: { readonly status: TokenInstanceStatusDetailDto; readonly context: RequestContext },
): Promise<TokenInstanceDetailDto> {
  const { executor } = platform.database;
  const { object, scope } = valueSet(row);
  const [profiles, stored, metadata, customAttributes] = await Promise.all([
    countProfiles(executor, [row.uuid]),
    attributes.read(object, scope),
    attributes.readMetadata(object),
    values.read(row.uuid, context),
  ]);
  const shown = { profiles: profiles.get(row.uuid) ?? 0, status, attributes: stored };
  return { ...presentTokenDetail(row, shown), metadata, customAttributes };
}

async function create(
  service: ServiceParts,
  request: TokenInstanceRequestDto,
  context: RequestContext,
): Promise<TokenInstanceDetailDto> {
  const { database, clock } = service.platform;
  const { attributes, connectors, values } = service;
  const { name, kind, connectorUuid } = request;
  // Checked before the connector is called: a token that cannot be recorded must not come into being there.
  if (await tokens.findByName(database.executor, name)) throw taken(name);
  const [customValues, accepted] = await judgedTogether(
    values.accept(request.customAttributes, context),
    acceptAttributes(service, { connectorUuid, kind }, request.attributes, context),
  );
  const client = await connectors.client(connectorUuid);
  const [uuid, now] = [newUuid(), clock.now()];
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const { signal } = context;
  const instance = await client.call(provider.createTokenInstance, { body }, { signal, idempotencyKey: uuid });
  const there = { connector_uuid: connectorUuid, connector_token_uuid: instance.uuid };
  const row: TokenRow = {
    uuid,
    name,
    kind,
    connector_name: client.name,
    ...there,
    status: 'Unknown',
    removing: false,
    edited_until: null,
    created_at: now,
    updated_at: now,
  };
  const status = await lookAtToken(connectors, there, context);
  try {
    const kept = await worthKeeping(service, row, accepted);
    await record(service, { ...row, status: status.status }, { kept, customValues, instance }, context);
  } catch (error) {
    throw await takenBack(service, row, { error: refusalOf(error, row), context });
  }
  return describe(service, { ...row, status: status.status }, { status, context });
}

const taken = (name: string, cause?: unknown) => new AppError('already_exists', { what: tokens.what, name }, { cause });

function refusalOf(error: unknown, { name, connector_uuid: connectorUuid }: TokenRow): unknown {
  if (isUniqueViolation(error, 'token_name_key')) return taken(name, error);
  return isForeignKeyViolation(error) ? notFound('Connector', connectorUuid ?? '') : error;
}

/** A token that cannot be recorded goes at its connector, too; the refusal says so when it stays there. */
async function takenBack(
  service: ServiceParts,
  row: TokenRow,
  { error, context }: { readonly error: unknown; readonly context: RequestContext },
): Promise<unknown> {
  try {
    await removeAtConnector(service, row, context);
    return error;
  } catch (cause) {
    const { name, connector_name: connector, connector_token_uuid: there } = row;
    service.platform.log.error(
      { error: cause, token: name, connector, there },
      'a token that was not recorded stays at its connector',
    );
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Connector ${connector} has made the token ${name} (${there}) and did not remove it again: remove it there.`,
    );
  }
}

/** Has the connector and the platform judge the attributes of a token. */
const acceptAttributes = (
  { connectors }: ServiceParts,
  { connectorUuid, kind }: { readonly connectorUuid: string; readonly kind: string },
  requested: readonly RequestAttributeDto[],
  { actor, signal, before }: Pick<RequestContext, 'actor' | 'signal'> & CredentialUse,
): Promise<RequestAttributeDto[]> =>
  connectors.acceptOfKind(
    { connectorUuid, functionGroup: 'cryptographyProvider', kind, signal, actor, before },
    requested,
  );

function record(
  { platform, audit, attributes, values }: ServiceParts,
  row: TokenRow,
  sent: {
    /** Values of the token, without secrets that its provider does not need again. */
    readonly kept: readonly RequestAttributeDto[];
    readonly customValues: AcceptedCustomValues;
    readonly instance: ProviderTokenInstanceDto;
  },
  context: RequestContext,
): Promise<void> {
  return platform.database.transaction(async (tx) => {
    await tokens.insert(tx, row);
    await attributes.insertValues(tx, [{ ...valueSet(row), attributes: sent.kept }]);
    await attributes.appendMetadata(tx, metadataOf(row, sent.instance));
    await values.write(tx, row.uuid, sent.customValues);
    await audit.append(tx, context, { objects: [row] });
  });
}

/** A platform that kept what opens a token could open it by itself. */
async function worthKeeping(
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
  row.connector_uuid === null ? [] : [{ object: valueSet(row).object, connectorUuid: row.connector_uuid, metadata }];

async function edit(
  service: ServiceParts,
  uuid: string,
  request: TokenInstanceRequestDto,
  context: RequestContext,
): Promise<TokenInstanceDetailDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, values } = service;
  const row = await tokens.require(database.executor, uuid);
  await service.edits.during(row, async () => {
    const [customValues, judged] = await judgedTogether(
      values.accept(request.customAttributes, context, uuid),
      judgeChange(service, row, request.attributes, context),
    );
    const kept = await worthKeeping(service, row, judged.accepted);
    const instance = await changeAtConnector(service, row, judged.accepted, context);
    const leftOut = judged.before.map(({ name }) => name).filter((name) => !judged.accepted.some((value) => value.name === name)); // prettier-ignore
    await database.transaction(async (tx) => {
      if (!(await tokens.update(tx, uuid, { updated_at: clock.now() }))) throw notFound(tokens.what, uuid);
      await attributes.replaceValues(tx, { ...valueSet(row), attributes: kept });
      await attributes.removeConnectorMetadata(tx, valueSet(row).object, judged.connectorUuid);
      await attributes.appendMetadata(tx, metadataOf(row, instance));
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row], ...leftOutData(leftOut) });
    });
  });
  service.access.invalidate(uuid);
  return refresh(service, uuid, context);
}

/** Has the connector judge the values; nothing is changed. */
async function judgeChange(
  service: ServiceParts,
  row: TokenRow,
  given: readonly RequestAttributeDto[],
  context: RequestContext,
) {
  const { attributes, access } = service;
  const { token } = await access.reach(row.uuid);
  const { object, scope } = valueSet(row);
  const before = await attributes.readForConnector(object, scope);
  const requested = await attributes.withKeptSecrets(valueSet(row), given);
  const accepted = await acceptAttributes(service, token, requested, { ...context, before });
  return { connectorUuid: token.connectorUuid, before, accepted };
}

async function changeAtConnector(
  { attributes, access }: ServiceParts,
  row: TokenRow,
  accepted: readonly RequestAttributeDto[],
  { signal }: RequestContext,
): Promise<ProviderTokenInstanceDto> {
  const { client, params } = await access.reach(row.uuid);
  const body = { name: row.name, kind: row.kind, attributes: await attributes.expandCredentials(accepted) };
  return client.call(provider.updateTokenInstance, { params, body }, { signal });
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

/** Asks the provider, and keeps what it says for lists. */
async function refresh(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenInstanceDetailDto> {
  const { database } = service.platform;
  const row = await tokens.require(database.executor, uuid);
  const status = await lookAtToken(service.connectors, row, context);
  const kept = (await keepStatus(service, row, status)) ?? row;
  return describe(service, kept, { status, context });
}

/** What is unknown because the provider does not answer says nothing about the token: the kept status stays. */
const keepStatus = (
  { platform }: ServiceParts,
  row: TokenRow,
  { status }: TokenInstanceStatusDetailDto,
): Promise<TokenRow | undefined> =>
  status === 'Unknown' || status === row.status
    ? Promise.resolve(row)
    : tokens.update(platform.database.executor, row.uuid, { status });

/** The values, a code for example, are passed on and kept nowhere. */
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

/** The provider has changed the token. */
async function recordChange(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { platform, audit, connectors } = service;
  const row = await tokens.require(platform.database.executor, uuid);
  const { status } = await lookAtToken(connectors, row, context);
  await platform.database.transaction(async (tx) => {
    await tokens.update(tx, uuid, { status, updated_at: platform.clock.now() });
    await audit.append(tx, context, { objects: [row] });
  });
}

/** 404 from the connector means that the token is gone already. */
async function removeAtConnector(
  { connectors }: ServiceParts,
  row: TokenRow,
  { signal }: RequestContext,
): Promise<void> {
  if (row.connector_uuid === null) return;
  const client = await connectors.client(row.connector_uuid);
  try {
    await client.call(provider.removeTokenInstance, { params: { uuid: row.connector_token_uuid } }, { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}

/** The values of a token, under its connector. */
const valueSet = (row: Pick<TokenRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'tokens', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});
