// Use cases for authorities, which exist at their connector. Code shared with other such objects is in
// `connectors/instances`.
import type {
  AuthorityInstanceDto,
  AuthorityInstanceRequestDto,
  AuthorityInstanceUpdateRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import {
  createInstance,
  editInstance,
  inspectInstance,
  valueSetOf,
  type Connectors,
  type InstanceKind,
  type InstanceParts,
} from '../connectors/index.ts';
import type { AuthorityAccess } from './authority-access.ts';
import { instanceOperations, type Instance } from './instance-operations.ts';
import { listLegacyNames, type LegacyCall } from './legacy-profiles.ts';
import { attributesOfInstance, presentAuthority } from './present.ts';
import { authorities } from './store.ts';
import type { AuthorityRow } from './tables.ts';

export interface AuthorityServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly access: AuthorityAccess;
}

const operations = instanceOperations;

const authorityKind = (access: AuthorityAccess): InstanceKind<AuthorityRow, Instance> => ({
  resource: 'authorities',
  objects: authorities,
  noun: 'authority',
  remoteUuid: (row) => row.connector_authority_uuid,
  calls: {
    create: (client, body, options) => client.call(operations.createAuthorityInstance, { body }, options),
    update: (client, { uuid, body }, options) =>
      client.call(operations.updateAuthorityInstance, { params: { uuid }, body }, options),
    remove: (client, uuid, options) => client.call(operations.removeAuthorityInstance, { params: { uuid } }, options),
  },
  functionGroupOf: async ({ connectorUuid, kind }) =>
    (await access.functionGroupOf(connectorUuid, kind))?.code ?? 'authorityProvider',
  removal: { begun: { status: 'removing' }, givenUp: { status: 'connected' } },
});

interface ServiceParts extends InstanceParts<AuthorityRow, Instance> {
  readonly access: AuthorityAccess;
}

export type AuthorityService = ReturnType<typeof createAuthorityService>;

export function createAuthorityService(platform: Platform, areas: AuthorityServiceParts) {
  const values = areas.attributes.customValuesOf('authorities');
  const parts = { ...areas, platform, values, instance: authorityKind(areas.access) };
  return {
    /** Needed for removal. */
    instances: parts satisfies InstanceParts<AuthorityRow, Instance>,
    list: async (): Promise<AuthorityInstanceDto[]> =>
      (await authorities.findAll(platform.database.executor)).map((row) => presentAuthority(row)),
    detail: (uuid: string, context: RequestContext) => detail(parts, uuid, context),
    create: async (request: AuthorityInstanceRequestDto, context: RequestContext): Promise<string> =>
      (await createInstance(parts, request, creationSteps(parts), context)).uuid,
    edit: async (
      uuid: string,
      request: AuthorityInstanceUpdateRequestDto,
      context: RequestContext,
    ): Promise<AuthorityInstanceDto> => {
      await editInstance(parts, uuid, request, { steps: { keep: retainedValues }, context });
      areas.access.invalidate(uuid);
      return detail(parts, uuid, context);
    },
    legacyList: async (uuid: string, call: LegacyCall, { signal }: RequestContext) =>
      listLegacyNames(await areas.access.reach(uuid), { ...call, signal }),
  };
}

const creationSteps = ({
  attributes,
  instance,
}: ServiceParts): Parameters<typeof createInstance<AuthorityRow, Instance>>[2] => ({
  rowOf: (common, { uuid }) => ({ ...common, connector_authority_uuid: uuid, status: 'connected' }),
  record: (tx, row) => attributes.holdSigningKeys(tx, valueSetOf(instance, row).object),
});

/** Returns the stored data together with the connector's current data. */
async function detail(parts: ServiceParts, uuid: string, context: RequestContext): Promise<AuthorityInstanceDto> {
  const { platform, attributes, connectors, instance, values } = parts;
  const row = await authorities.require(platform.database.executor, uuid);
  const { object, scope } = valueSetOf(instance, row);
  const params = { uuid: row.connector_authority_uuid };
  const [stored, customAttributes, live] = await Promise.all([
    attributes.read(object, scope),
    values?.read(uuid, context) ?? [],
    inspectInstance(
      connectors,
      row,
      (client, options) => client.call(operations.getAuthorityInstance, { params }, options),
      context,
    ),
  ]);
  const shown = stored.length === 0 && live.status === 'connected' ? attributesOfInstance(live.answer) : stored;
  return { ...presentAuthority(row, { attributes: shown, status: live.status }), customAttributes };
}

/**
 * A value that was omitted but that the connector still returns, such as a CA's key algorithm, is part of the authority
 * and is kept.
 */
function retainedValues(
  _row: AuthorityRow,
  {
    before,
    accepted,
    answer,
  }: {
    readonly before: readonly RequestAttributeDto[];
    readonly accepted: readonly RequestAttributeDto[];
    readonly answer: Instance;
  },
): readonly RequestAttributeDto[] {
  const given = new Set(accepted.map(({ name }) => name));
  const known = new Set(answer.attributes.map(({ name }) => name));
  return [...accepted, ...before.filter(({ name }) => known.has(name) && !given.has(name))];
}
