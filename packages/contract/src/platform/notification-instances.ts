// Notification instances: a notification provider's delivery channels, such as a mail server or webhook.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { description, line, objectName, uuid } from '../primitives.ts';
import { DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto } from '../shared/objects.ts';
import { sightOf, sightOfCredentials } from './referenced-objects.ts';

/** Custom attribute of recipients. Its value is sent to the provider under the mapping attribute's name. */
export const AttributeMappingDto = z
  .object({
    mappingAttributeUuid: z.string(),
    mappingAttributeName: z.string(),
    customAttributeUuid: z.string(),
    customAttributeLabel: z.string(),
  })
  .meta({ id: 'AttributeMappingDto' });
export type AttributeMappingDto = z.output<typeof AttributeMappingDto>;

export const NotificationInstanceDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    /** Empty if the connector has been removed. */
    connectorUuid: z.string(),
    connectorName: z.string(),
    kind: z.string(),
    /** Secrets are omitted; empty in lists. */
    attributes: z.array(ResponseAttributeDto),
    attributeMappings: z.array(AttributeMappingDto).optional(),
  })
  .meta({ id: 'NotificationInstanceDto' });
export type NotificationInstanceDto = z.output<typeof NotificationInstanceDto>;

const changeable = {
  description: description().optional(),
  /** If a secret is sent empty, the stored secret is kept. */
  attributes: z.array(RequestAttributeDto),
  attributeMappings: z.array(AttributeMappingDto).optional(),
};

export const NotificationInstanceRequestDto = z
  .object({ name: objectName(), connectorUuid: uuid(), kind: line(), ...changeable })
  .meta({ id: 'NotificationInstanceRequestDto' });
export type NotificationInstanceRequestDto = z.output<typeof NotificationInstanceRequestDto>;

export const NotificationInstanceUpdateRequestDto = z
  .object(changeable)
  .meta({ id: 'NotificationInstanceUpdateRequestDto' });
export type NotificationInstanceUpdateRequestDto = z.output<typeof NotificationInstanceUpdateRequestDto>;

export const notificationInstanceOperations = operations(
  {
    tag: 'External Notification Management',
    resource: 'notificationInstances',
    module: 'core',
    errors: connectorErrors,
  },
  {
    /** Sorted by name. */
    listNotificationInstances: {
      route: 'GET /v1/notificationInstances',
      summary: 'List of available Notification instances',
      answer: z.array(NotificationInstanceDto),
      errors: [400, 401, 403, 500, 502, 503],
      access: { action: 'list' },
    },
    createNotificationInstance: {
      route: 'POST /v1/notificationInstances',
      summary: 'Add Notification instance',
      body: NotificationInstanceRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOfCredentials],
      audit: 'create',
    },
    /** Recipient attributes that the kind uses and to which custom attributes can be mapped. */
    listMappingAttributes: {
      route: 'GET /v1/notificationInstances/attributes/mapping/{connectorUuid}/{kind}',
      summary: 'List of mapping attributes',
      params: z.object({ connectorUuid: uuid(), kind: z.string() }),
      answer: z.array(DataAttribute),
      access: { resource: 'connectors', action: 'detail', object: 'connectorUuid' },
    },
    getNotificationInstance: {
      route: 'GET /v1/notificationInstances/{uuid}',
      summary: 'Details of a Notification instance',
      answer: NotificationInstanceDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editNotificationInstance: {
      route: 'PUT /v1/notificationInstances/{uuid}',
      summary: 'Edit Notification instance',
      body: NotificationInstanceUpdateRequestDto,
      answer: NotificationInstanceDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [sightOfCredentials],
      audit: 'update',
    },
    deleteNotificationInstance: {
      route: 'DELETE /v1/notificationInstances/{uuid}',
      summary: 'Delete Notification instance',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
  },
);
