// Notification connector on a test database. It stops with the test file.
import type { Connector, ConnectorContext } from '@signetry/connector-sdk';
import {
  BaseAttributeDto,
  connectorBaseOperations,
  notificationProviderOperations as operations,
  type AttributeContentType,
  type NotificationProviderNotifyRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { startTestDiscovery, type TestDiscovery, type Values } from '../discovery/index.ts';

/** The connector in this process, or a second process on the same tables. */
export type TestNotifier = Pick<TestDiscovery, 'call' | 'kind' | 'pool' | 'another'>;

/** Starts a notification connector. `host`: context in addition to database and clock. */
export const startTestNotifier = (connector: Connector, host: Partial<ConnectorContext> = {}): Promise<TestNotifier> =>
  startTestDiscovery(connector, host);

/** Returns request attributes. An undefined value becomes an attribute without content. */
export async function attributesOf({ call, kind }: TestNotifier, values: Values): Promise<RequestAttributeDto[]> {
  const params = { functionalGroup: 'notificationProvider', kind } as const;
  const answer = await call(connectorBaseOperations.listAttributeDefinitions, { params });
  const definitions = BaseAttributeDto.array().parse(answer);
  const attributes = Object.entries(values).map(([name, data]) => ({
    uuid: '00000000-0000-4000-8000-000000000000',
    name,
    contentType: contentTypeOf(definitions.find((each) => each.name === name)),
    content: data === undefined ? [] : [{ data }],
  }));
  return attributes as RequestAttributeDto[]; // validated by the connector
}

const contentTypeOf = (definition: BaseAttributeDto | undefined): AttributeContentType =>
  definition && 'contentType' in definition ? definition.contentType : 'string';

export async function createInstance(notifier: TestNotifier, values: Values, name = 'an instance') {
  const body = { name, kind: notifier.kind, attributes: await attributesOf(notifier, values) };
  return notifier.call(operations.createNotificationInstance, { body });
}

export async function updateInstance(notifier: TestNotifier, uuid: string, values: Values, name = 'an instance') {
  const body = { name, kind: notifier.kind, attributes: await attributesOf(notifier, values) };
  return notifier.call(operations.updateNotificationInstance, { params: { uuid }, body });
}

export interface NotifyOptions {
  readonly uuid: string;
  readonly body?: Partial<NotificationProviderNotifyRequestDto>;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

export const notify = ({ call }: TestNotifier, { uuid, body, key, signal }: NotifyOptions) =>
  call(operations.sendNotification, {
    params: { uuid },
    body: { ...expiringNotification, ...body },
    idempotencyKey: key,
    ...(signal ? { signal } : {}),
  });

export const preview = ({ call }: TestNotifier, { uuid, body, key }: NotifyOptions) =>
  call(operations.previewNotification, {
    params: { uuid },
    body: { ...expiringNotification, ...body },
    idempotencyKey: key,
  });

/** Notification about an expiring certificate, for one recipient. */
export const expiringNotification: NotificationProviderNotifyRequestDto = {
  recipients: [{ name: 'Anna Novak', email: 'anna@example.com' }],
  eventType: 'other',
  event: 'certificate_expiring',
  resource: 'certificates',
  notificationData: {
    certificateUuid: '0197c3d0-0000-7000-8000-000000000001',
    subjectDn: 'CN=www.example.com, O=Example',
    issuerDn: 'CN=Example CA',
    serialNumber: '0a17',
    expiresAt: '2099-12-01T10:00:00Z',
  },
};
