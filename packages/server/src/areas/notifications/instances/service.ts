// Use cases of notification instances, which are stored at their connector. For the parts that all such objects share,
// see `connectors/instances`.
import {
  notificationProviderOperations,
  type AttributeMappingDto,
  type DataAttribute,
  type NotificationInstanceDto,
  type NotificationInstanceRequestDto,
  type NotificationInstanceUpdateRequestDto,
  type NotificationProviderInstanceDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import {
  assertReachable,
  createInstance,
  editInstance,
  removeInstance,
  valueSetOf,
  type Connectors,
  type InstanceKind,
  type InstanceParts,
} from '../../connectors/index.ts';
import { toJson, findProfilesOfInstance, instances } from '../store.ts';
import { endDeliveriesOf } from '../store-deliveries.ts';
import type { InstanceRow } from '../tables.ts';
import { problemsOfMappings } from './attribute-mappings.ts';
import { presentInstance } from './present.ts';
import { mappingAttributesOf } from './reach.ts';

export interface InstanceServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
}

type ServiceParts = InstanceParts<InstanceRow, NotificationProviderInstanceDto>;

const provider = notificationProviderOperations;

const NOTIFICATION_INSTANCE: InstanceKind<InstanceRow, NotificationProviderInstanceDto> = {
  resource: 'notificationInstances',
  objects: instances,
  noun: 'notification instance',
  remoteUuid: (row) => row.connector_instance_uuid,
  calls: {
    create: (client, body, options) => client.call(provider.createNotificationInstance, { body }, options),
    update: (client, { uuid, body }, options) =>
      client.call(provider.updateNotificationInstance, { params: { uuid }, body }, options),
    remove: (client, uuid, options) => client.call(provider.removeNotificationInstance, { params: { uuid } }, options),
  },
  functionGroupOf: () => Promise.resolve('notificationProvider'),
  removal: { begun: { removing: true }, givenUp: { removing: false } },
};

export type InstanceService = ReturnType<typeof createInstanceService>;

export function createInstanceService(platform: Platform, areas: InstanceServiceParts) {
  const service: ServiceParts = { platform, ...areas, instance: NOTIFICATION_INSTANCE };
  return {
    list: async (): Promise<NotificationInstanceDto[]> =>
      (await instances.findAll(platform.database.executor)).map((row) => presentInstance(row)),
    detail: (uuid: string) => detail(service, uuid),
    mappingAttributes: async (
      { connectorUuid, kind }: { readonly connectorUuid: string; readonly kind: string },
      { signal }: RequestContext,
    ): Promise<DataAttribute[]> => mappingAttributesOf(await areas.connectors.client(connectorUuid), kind, signal),
    create: (request: NotificationInstanceRequestDto, context: RequestContext) => create(service, request, context),
    edit: (uuid: string, request: NotificationInstanceUpdateRequestDto, context: RequestContext) =>
      edit(service, uuid, request, context),
    remove: (uuid: string, context: RequestContext): Promise<void> =>
      removeInstance(service, uuid, {
        context,
        steps: {
          assertUnused: rejectWithProfiles,
          forget: (tx) => endDeliveriesOf(tx, uuid, platform.clock.now()),
        },
      }),
  };
}

async function detail({ platform, attributes }: ServiceParts, uuid: string): Promise<NotificationInstanceDto> {
  const row = await instances.require(platform.database.executor, uuid);
  const { object, scope } = valueSetOf(NOTIFICATION_INSTANCE, row);
  return presentInstance(row, await attributes.read(object, scope));
}

async function create(
  service: ServiceParts,
  request: NotificationInstanceRequestDto,
  context: RequestContext,
): Promise<string> {
  const { connectorUuid, kind, attributeMappings: mappings = [] } = request;
  const { uuid } = await createInstance(
    service,
    request,
    {
      judge: () => assertMappings(service, { connectorUuid, kind, mappings }, context),
      rowOf: (common, { uuid: there }) => ({
        ...common,
        description: request.description || null,
        connector_instance_uuid: there,
        mappings: toJson(mappings),
        removing: false,
      }),
    },
    context,
  );
  return uuid;
}

interface KindSpec {
  readonly connectorUuid: string;
  readonly kind: string;
}

/**
 * Rejects (422) mappings for attributes that the kind does not have, and mappings to custom attributes of a different
 * type.
 */
async function assertMappings(
  { connectors, attributes }: ServiceParts,
  { connectorUuid, kind, mappings }: KindSpec & { readonly mappings: readonly AttributeMappingDto[] },
  { signal }: RequestContext,
): Promise<void> {
  if (mappings.length === 0) return;
  const asked = await mappingAttributesOf(await connectors.client(connectorUuid), kind, signal);
  const named = mappings.map(({ customAttributeUuid }) => customAttributeUuid.toLowerCase()).filter(isUuid);
  const known = await attributes.custom.findDefinitions(named);
  const problems = problemsOfMappings(mappings, { asked, known });
  if (problems.length > 0) throw rejected(...problems);
}

async function edit(
  service: ServiceParts,
  uuid: string,
  request: NotificationInstanceUpdateRequestDto,
  context: RequestContext,
): Promise<NotificationInstanceDto> {
  const mappings = request.attributeMappings ?? [];
  await editInstance(service, uuid, request, {
    context,
    steps: {
      async judge(row) {
        assertReachable(row, instances.what);
        await assertMappings(service, { connectorUuid: row.connector_uuid, kind: row.kind, mappings }, context);
      },
      changes: () => ({ description: request.description || null, mappings: toJson(mappings) }),
    },
  });
  return detail(service, uuid);
}

async function rejectWithProfiles(tx: Executor, { uuid, name }: InstanceRow): Promise<void> {
  const profiles = await findProfilesOfInstance(tx, uuid);
  if (profiles.length === 0) return;
  throw rejected(
    `Cannot delete notification instance ${name}: it is used by versions of these notification profiles: ` +
      `${profiles.join(', ')}. Delete the profiles first.`,
  );
}
