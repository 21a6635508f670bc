// Use cases of authorities. The connector is called before or between transactions, never inside one.
import type {
  AuthorityInstanceDto,
  AuthorityInstanceRequestDto,
  AuthorityInstanceUpdateRequestDto,
  RequestAttributeDto,
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
import { callFailureOf, PROBE_TIMEOUT_MS, type Connectors } from '../connectors/index.ts';
import type { AuthorityAccess } from './authority-access.ts';
import { createAtConnector } from './create-at-connector.ts';
import { instanceOperations, type Instance } from './instance-operations.ts';
import { legacyList, type LegacyCall } from './legacy-profiles.ts';
import { attributesOfInstance, presentAuthority, type LiveStatus } from './present.ts';
import { authorities } from './store.ts';
import type { AuthorityRow } from './tables.ts';

export interface AuthorityServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly access: AuthorityAccess;
}

interface ServiceParts extends AuthorityServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
  readonly edits: EditClaims;
}

const { getAuthorityInstance, updateAuthorityInstance, removeAuthorityInstance } = instanceOperations;

export type AuthorityService = ReturnType<typeof createAuthorityService>;

export function createAuthorityService(platform: Platform, parts: AuthorityServiceParts) {
  const service: ServiceParts = {
    platform,
    ...parts,
    values: parts.attributes.customValuesOf('authorities'),
    edits: createEditClaims(platform, authorities),
  };
  return {
    list: () => list(service),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: AuthorityInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: AuthorityInstanceUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    removeAtConnector: (row: AuthorityRow, context: RequestContext) => removeAtConnector(service, row, context),
    legacyList: async (uuid: string, call: LegacyCall, { signal }: RequestContext) =>
      legacyList(await parts.access.reach(uuid), { ...call, signal }),
  };
}

async function list({ platform }: ServiceParts): Promise<AuthorityInstanceDto[]> {
  return (await authorities.findAll(platform.database.executor)).map((row) => presentAuthority(row));
}

/** What the platform keeps, together with what its connector says now. */
async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<AuthorityInstanceDto> {
  const { platform, attributes, values } = service;
  const row = await authorities.require(platform.database.executor, uuid);
  const [stored, customAttributes, live] = await Promise.all([
    attributes.read(valueSet(row).object, valueSet(row).scope),
    values.read(uuid, context),
    look(service, row, context),
  ]);
  const shown = stored.length === 0 && live.instance ? attributesOfInstance(live.instance) : stored;
  return { ...presentAuthority(row, { attributes: shown, status: live.status }), customAttributes };
}

/** A connector that is down must not hide the authority from people. */
async function look(
  { connectors }: ServiceParts,
  row: AuthorityRow,
  { signal }: RequestContext,
): Promise<{ status: LiveStatus; instance?: Instance }> {
  if (row.connector_uuid === null) return { status: 'without connector' };
  try {
    const client = await connectors.client(row.connector_uuid);
    const params = { uuid: row.connector_authority_uuid };
    const instance = await client.call(getAuthorityInstance, { params }, { signal, timeoutMs: PROBE_TIMEOUT_MS });
    return { status: 'connected', instance };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isAppError(error, 'object_not_found')) return { status: 'unknown to its connector' };
    if (isAppError(error)) return { status: 'unavailable' };
    throw error;
  }
}

async function create(
  service: ServiceParts,
  request: AuthorityInstanceRequestDto,
  context: RequestContext,
): Promise<string> {
  const { database, clock } = service.platform;
  const { attributes, connectors, values } = service;
  const { name, kind, connectorUuid } = request;
  // Checked before the connector is called: an authority that cannot be recorded must not come into being there.
  if (await authorities.findByName(database.executor, name))
    throw new AppError('already_exists', { what: 'Authority', name });
  const [customValues, accepted] = await judgedTogether(
    values.accept(request.customAttributes, context),
    acceptAttributes(service, { connectorUuid, kind }, request.attributes, context),
  );
  const client = await connectors.client(connectorUuid);
  const [uuid, now] = [newUuid(), clock.now()];
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const features = (await service.access.functionGroupOf(connectorUuid, kind))?.features ?? [];
  const { signal } = context;
  const instance = await createAtConnector(service.platform, { client, body, key: uuid, features, signal });
  const row: AuthorityRow = {
    uuid,
    name,
    kind,
    connector_uuid: connectorUuid,
    connector_name: client.name,
    connector_authority_uuid: instance.uuid,
    status: 'connected',
    created_at: now,
    updated_at: now,
    edited_until: null,
  };
  try {
    await record(service, row, { accepted, customValues }, context);
  } catch (error) {
    throw await takenBack(service, row, { error: refusalOf(error, row), context });
  }
  return uuid;
}

function refusalOf(error: unknown, { name, connector_uuid: connectorUuid }: AuthorityRow): unknown {
  if (isUniqueViolation(error, 'authority_name_key'))
    return new AppError('already_exists', { what: 'Authority', name }, { cause: error });
  return isForeignKeyViolation(error) ? notFound('Connector', connectorUuid ?? '') : error;
}

/** An authority that cannot be recorded goes at its connector, too; the refusal says so when it stays there. */
async function takenBack(
  service: ServiceParts,
  row: AuthorityRow,
  { error, context }: { readonly error: unknown; readonly context: RequestContext },
): Promise<unknown> {
  try {
    await removeAtConnector(service, row, context);
    return error;
  } catch (cause) {
    const { name, connector_name: connector, connector_authority_uuid: there } = row;
    service.platform.log.error({ error: cause, authority: name, connector, there }, 'an authority that was not recorded stays at its connector'); // prettier-ignore
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Connector ${connector} has made the authority ${name} (${there}) and did not remove it again: remove it there.`,
    );
  }
}

/** Has the connector and the platform judge the attributes of an authority. */
async function acceptAttributes(
  { connectors, access }: ServiceParts,
  { connectorUuid, kind }: { connectorUuid: string; kind: string },
  requested: readonly RequestAttributeDto[],
  { actor, signal, before }: Pick<RequestContext, 'actor' | 'signal'> & CredentialUse,
): Promise<RequestAttributeDto[]> {
  const functionGroup = (await access.functionGroupOf(connectorUuid, kind))?.code ?? 'authorityProvider';
  return connectors.acceptOfKind({ connectorUuid, functionGroup, kind, signal, actor, before }, requested);
}

function record(
  { platform, audit, attributes, values }: ServiceParts,
  row: AuthorityRow,
  sent: { readonly accepted: readonly RequestAttributeDto[]; readonly customValues: AcceptedCustomValues },
  context: RequestContext,
): Promise<void> {
  return platform.database.transaction(async (tx) => {
    await authorities.insert(tx, row);
    await attributes.insertValues(tx, [{ ...valueSet(row), attributes: sent.accepted }]);
    await attributes.holdSigningKeys(tx, valueSet(row).object);
    await values.write(tx, row.uuid, sent.customValues);
    await audit.append(tx, context, { objects: [row] });
  });
}

async function edit(
  service: ServiceParts,
  uuid: string,
  request: AuthorityInstanceUpdateRequestDto,
  context: RequestContext,
): Promise<AuthorityInstanceDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, access, values } = service;
  const row = await authorities.require(database.executor, uuid);
  await service.edits.during(row, async () => {
    const [customValues, judged] = await judgedTogether(
      values.accept(request.customAttributes, context, uuid),
      request.attributes ? judgeChange(service, row, request.attributes, context) : Promise.resolve(undefined),
    );
    const change = judged && (await changeAtConnector(service, row, judged, context));
    await database.transaction(async (tx) => {
      if (!(await authorities.update(tx, uuid, { updated_at: clock.now() }))) throw notFound('Authority', uuid);
      if (change) await attributes.replaceValues(tx, { ...valueSet(row), attributes: change.values });
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [{ uuid, name: row.name }], ...leftOutData(change?.leftOut) });
    });
  });
  access.invalidate(uuid);
  return detail(service, uuid, context);
}

interface JudgedChange {
  readonly before: readonly RequestAttributeDto[];
  readonly accepted: readonly RequestAttributeDto[];
}

/** Has the connector judge the values; nothing is changed. */
async function judgeChange(
  service: ServiceParts,
  row: AuthorityRow,
  given: readonly RequestAttributeDto[],
  context: RequestContext,
): Promise<JudgedChange> {
  const { attributes, access } = service;
  const { object, scope } = valueSet(row);
  const { authority, client, params } = await access.reach(row.uuid);
  await client.call(getAuthorityInstance, { params }, { signal: context.signal });
  const before = await attributes.readForConnector(object, scope);
  const requested = await attributes.withKeptSecrets(valueSet(row), given);
  return { before, accepted: await acceptAttributes(service, authority, requested, { ...context, before }) };
}

/**
 * The list takes the place of the earlier one. What is left out and the connector still answers with is part of the
 * authority, such as the key algorithm of a CA, and stays.
 */
async function changeAtConnector(
  { attributes, access }: ServiceParts,
  row: AuthorityRow,
  { before, accepted }: JudgedChange,
  context: RequestContext,
): Promise<{ readonly values: readonly RequestAttributeDto[]; readonly leftOut: readonly string[] }> {
  const { client, params } = await access.reach(row.uuid);
  const body = { name: row.name, kind: row.kind, attributes: await attributes.expandCredentials(accepted) };
  const instance = await client.call(updateAuthorityInstance, { params, body }, { signal: context.signal });
  const stays = before.filter(({ name }) => instance.attributes.some((known) => known.name === name));
  const values = [...accepted, ...withoutNamed(stays, accepted)];
  return { values, leftOut: withoutNamed(before, values).map(({ name }) => name) };
}

/** 404 from the connector means that the authority is gone already. */
async function removeAtConnector(
  { connectors }: ServiceParts,
  row: AuthorityRow,
  { signal }: RequestContext,
): Promise<void> {
  if (row.connector_uuid === null) return;
  const client = await connectors.client(row.connector_uuid);
  try {
    await client.call(removeAuthorityInstance, { params: { uuid: row.connector_authority_uuid } }, { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}

const withoutNamed = (values: readonly RequestAttributeDto[], others: readonly RequestAttributeDto[]) =>
  values.filter(({ name }) => !others.some((other) => other.name === name));

/** The values of an authority, under its connector. */
const valueSet = (row: Pick<AuthorityRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'authorities', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});
