// Credential use cases. Connectors validate values before a transaction starts, never inside one. Secrets are sent only
// to connectors.
import type {
  CredentialAttributeContentData,
  CredentialDto,
  CredentialRequestDto,
  CredentialUpdateRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, requireFound, evaluateTogether, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { isForeignKeyViolation } from '../../platform/database/database-errors.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { omittedAttributesData, type CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Connectors } from '../connectors/index.ts';
import { presentCredential } from './present.ts';
import { credentials } from './store.ts';
import type { CredentialRow } from './tables.ts';
import { describeUses, type CredentialUsersParts } from './users.ts';

export interface CredentialParts extends CredentialUsersParts {
  readonly audit: AuditTrail;
  readonly connectors: Connectors;
}

interface ServiceParts extends CredentialParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

export type CredentialService = ReturnType<typeof createCredentialService>;

export function createCredentialService(platform: Platform, parts: CredentialParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('credentials') };
  const { executor } = platform.database;
  return {
    list: async (): Promise<CredentialDto[]> =>
      (await credentials.findAll(executor)).map((row) => presentCredential(row)),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: CredentialRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: CredentialUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    setEnabled: (uuid: string, enabled: boolean, context: RequestContext) =>
      setEnabled(service, { uuid, enabled }, context),
    remove: async (uuid: string, context: RequestContext): Promise<void> => {
      const [removed] = await removeMany(service, [uuid], context);
      requireFound(removed, credentials.what, uuid);
    },
    removeMany: (uuids: readonly string[], context: RequestContext) => removeMany(service, uuids, context),
    expand: (uuid: string) => expand(service, uuid),
  };
}

async function detail(
  { platform, attributes, values }: ServiceParts,
  uuid: string,
  context: RequestContext,
): Promise<CredentialDto> {
  const row = await credentials.require(platform.database.executor, uuid);
  const { object, scope } = valueSet(row);
  const credential = presentCredential(row, await attributes.read(object, scope));
  return { ...credential, customAttributes: await values.read(uuid, context) };
}

async function create(service: ServiceParts, request: CredentialRequestDto, context: RequestContext): Promise<string> {
  const { audit, attributes, connectors, platform, values } = service;
  const { name, kind, connectorUuid } = request;
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context),
    accept(service, { connectorUuid, kind, requested: request.attributes }, context),
  );
  const client = await connectors.client(connectorUuid);
  const now = platform.clock.now();
  const row: CredentialRow = {
    uuid: newUuid(),
    name,
    kind,
    enabled: true,
    connector_uuid: client.uuid,
    connector_name: client.name,
    created_at: now,
    updated_at: now,
  };
  try {
    await rejectTakenName(credentials, name, () =>
      audit.change(context, async (tx) => {
        const inserted = await credentials.insert(tx, row);
        await attributes.insertValues(tx, [{ ...valueSet(row), attributes: accepted }]);
        await values.write(tx, row.uuid, customValues);
        return inserted;
      }),
    );
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('Connector', connectorUuid);
    throw error;
  }
  return row.uuid;
}

interface SubmittedValues {
  readonly connectorUuid: string;
  readonly kind: string;
  readonly requested: readonly RequestAttributeDto[];
  readonly before?: readonly RequestAttributeDto[];
}

/** Validates a credential's values, both at its connector and on the platform. */
const accept = (
  { connectors }: ServiceParts,
  { requested, ...given }: SubmittedValues,
  { actor, signal }: RequestContext,
): Promise<RequestAttributeDto[]> =>
  connectors.acceptOfKind({ ...given, functionGroup: 'credentialProvider', actor, signal }, requested);

/** Replaces all values, but keeps secrets and key stores that are empty in the request. */
async function edit(
  service: ServiceParts,
  uuid: string,
  request: CredentialUpdateRequestDto,
  context: RequestContext,
): Promise<CredentialDto> {
  const { audit, attributes, platform, values } = service;
  const row = await credentials.require(platform.database.executor, uuid);
  const { kind, connector_uuid: connectorUuid } = row;
  if (connectorUuid === null) throw withoutConnector(row);
  const set = valueSet(row);
  const before = await attributes.readForConnector(set.object, set.scope);
  const requested = await attributes.withKeptSecrets(set, request.attributes);
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context, uuid),
    accept(service, { connectorUuid, kind, requested, before }, context),
  );
  const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
  await platform.database.transaction(async (tx) => {
    requireFound(await credentials.update(tx, uuid, { updated_at: platform.clock.now() }), credentials.what, uuid);
    await attributes.replaceValues(tx, { ...set, attributes: accepted });
    await values.write(tx, uuid, customValues);
    await audit.append(tx, context, { objects: [{ uuid, name: row.name }], ...omittedAttributesData(leftOut) });
  });
  return detail(service, uuid, context);
}

async function setEnabled(
  { platform, audit }: ServiceParts,
  { uuid, enabled }: { readonly uuid: string; readonly enabled: boolean },
  context: RequestContext,
): Promise<void> {
  const changes = { enabled, updated_at: platform.clock.now() };
  const [row] = await audit.change(context, (tx) => credentials.updateMany(tx, [uuid], changes));
  requireFound(row, credentials.what, uuid);
}

/**
 * Removes all of the credentials or none, because the response cannot report which ones remain. Unknown credentials are
 * skipped, so that the operation is idempotent.
 */
async function removeMany(
  service: ServiceParts,
  uuids: readonly string[],
  context: RequestContext,
): Promise<readonly CredentialRow[]> {
  const { audit, attributes } = service;
  return audit.change(context, async (tx) => {
    // Any new reference to a credential locks its row, and therefore waits for this transaction.
    const rows = await credentials.lockMany(tx, uuids);
    const lines = rows.length === 0 ? [] : await describeUses(service, tx, rows);
    if (lines.length > 0) throw rejected(...lines);
    const present = rows.map(({ uuid }) => uuid);
    await attributes.removeObjects(tx, 'credentials', present);
    return credentials.removeMany(tx, present);
  });
}

/** Returns all values, including secrets, in the form in which they are sent to connectors. */
async function expand(
  { platform, attributes }: ServiceParts,
  uuid: string,
): Promise<CredentialAttributeContentData | undefined> {
  const row = await credentials.findOne(platform.database.executor, uuid);
  if (!row) return undefined;
  const { object, scope } = valueSet(row);
  return {
    uuid: row.uuid,
    name: row.name,
    kind: row.kind,
    attributes: await attributes.readInFull(object, scope),
  };
}

const withoutConnector = ({ name }: CredentialRow): AppError =>
  new AppError('invalid_state', {
    what: 'Credential',
    name,
    state: 'without a connector',
    needed: 'a connector that defines its kind',
  });

/** Returns the key of a credential's value set, scoped to its connector. */
const valueSet = (row: Pick<CredentialRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'credentials', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});
