// A notification provider that stores received notifications in memory. A real HTTP server; the test decides what
// fails.
import {
  ConnectorError,
  dataAttribute,
  defineConnector,
  developmentContext,
  instancesInMemory,
  readString,
  serveConnector,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { NotificationProviderNotifyRequestDto, RequestAttributeDto } from '@signetry/contract';
import { onFileFinished } from '@signetry/testkit/file-end';
import { expect } from 'vitest';

export const NOTIFIER_KIND = 'Memory';
const uuidOf = (number: number): string => `0193f0a2-8181-7000-8000-${String(number).padStart(12, '0')}`;

const room = dataAttribute({
  uuid: uuidOf(1),
  name: 'data_room',
  label: 'Room',
  contentType: 'string',
  required: true,
});
const secret = dataAttribute({ uuid: uuidOf(2), name: 'data_secret', label: 'Secret', contentType: 'secret' });
/** Recipient attribute that the kind requires. */
export const nickname = dataAttribute({
  uuid: uuidOf(3),
  name: 'data_nickname',
  label: 'Nickname',
  contentType: 'string',
  required: true,
});

const fields = [room, secret];

/** Returns a form value, by name. */
export function notifierAttribute(name: string, data: unknown): RequestAttributeDto {
  const { uuid, contentType } = fields.find((each) => each.name === name) ?? expect.fail(`no field ${name}`);
  return { uuid, name, contentType, content: [{ data }] } as RequestAttributeDto; // The value matches the content type.
}

export const roomAttributes: RequestAttributeDto[] = [notifierAttribute('data_room', 'operations')];

export interface ReceivedNotification extends NotificationProviderNotifyRequestDto {
  readonly instanceUuid: string;
  /** The Idempotency-Key. */
  readonly key: string | undefined;
  /** Room with which the instance was created. */
  readonly room: string | undefined;
}

export interface Notifier {
  readonly url: string;
  /** All requested notifications, including rejected ones. */
  readonly asked: readonly ReceivedNotification[];
  /** Accepted notifications. */
  readonly taken: readonly ReceivedNotification[];
  /** Called before a notification is accepted; an exception becomes the response. */
  before: (asked: ReceivedNotification) => Promise<void> | void;
  close(): Promise<void>;
}

export async function startNotifier({ asks = true } = {}): Promise<Notifier> {
  const asked: ReceivedNotification[] = [];
  const taken: ReceivedNotification[] = [];
  const decisions: Pick<Notifier, 'before'> = { before: () => undefined };
  const connector = defineConnector({
    name: 'notifier',
    functions: { notificationProvider: { kinds: [NOTIFIER_KIND] } },
    create: () => ({ functions: { notificationProvider: handlers({ asked, taken, decisions, asks }) } }),
  });
  const served = await serveConnector(connector, { context: developmentContext() });
  const notifier: Notifier = Object.assign(decisions, {
    url: served.url,
    asked,
    taken,
    close: () => served.close(),
  });
  onFileFinished(() => notifier.close());
  return notifier;
}

function handlers({
  asked,
  taken,
  decisions,
  asks,
}: {
  readonly asked: ReceivedNotification[];
  readonly taken: ReceivedNotification[];
  readonly decisions: Pick<Notifier, 'before'>;
  readonly asks: boolean;
}): FunctionHandlers<'notificationProvider'> {
  const instances = instancesInMemory('Notification instance', () => fields);
  return {
    listAttributeDefinitions: ({ params }) => {
      assertKind(params.kind);
      return fields;
    },
    validateAttributes: () => undefined,
    listNotificationInstances: instances.list,
    createNotificationInstance: instances.create,
    getNotificationInstance: instances.get,
    updateNotificationInstance: instances.update,
    removeNotificationInstance: instances.remove,
    sendNotification: async ({ params, body, idempotencyKey }) => {
      const { attributes } = instances.find(params.uuid);
      const notified = {
        ...body,
        instanceUuid: params.uuid,
        key: idempotencyKey,
        room: readString(attributes, 'data_room'),
      };
      asked.push(notified);
      await decisions.before(notified);
      taken.push(notified);
    },
    previewNotification: ({ params, body }) => {
      instances.find(params.uuid);
      return { text: `${body.event} for ${body.recipients.map(({ name }) => name).join(', ')}` };
    },
    listMappingAttributes: ({ params }) => {
      assertKind(params.kind);
      return asks ? [nickname] : [];
    },
  };
}

function assertKind(kind: string): void {
  if (kind !== NOTIFIER_KIND) throw new ConnectorError(404, `There is no kind ${kind}.`);
}
