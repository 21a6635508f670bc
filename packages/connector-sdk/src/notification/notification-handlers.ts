// Operations of a notification provider, for any kind.
import { createHash, randomUUID } from 'node:crypto';
import type { NotificationProviderNotifyRequestDto, RequestAttributeDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import { isConnectorError, notFound, rejectIf } from '../connector-error.ts';
import type { FunctionHandlers } from '../function-handlers.ts';
import type { IdempotencyJournal } from '../journal/idempotency-journal.ts';
import type { Channels } from './channels.ts';
import { withDeadline } from './deadline.ts';
import type { InstanceRow, InstanceStore } from './instance-store.ts';
import { openHidden, presentInstance, sealHidden, visibleValues, withStoredHidden } from './instance-values.ts';
import type { NotificationDelivery, NotificationKind } from './notification-kind.ts';

export interface NotificationParts<Settings> {
  readonly context: Pick<ConnectorContext, 'clock' | 'open' | 'seal'>;
  readonly kind: NotificationKind<Settings>;
  readonly store: InstanceStore;
  readonly channels: Channels<Settings>;
  readonly idempotency: IdempotencyJournal;
}

/** Time limit for a whole call, below the minute that platforms wait. Unsent messages are then reported as an error. */
const SENDING_MS = 50_000;

export const notificationHandlers = <Settings>(
  parts: NotificationParts<Settings>,
): FunctionHandlers<'notificationProvider'> => {
  const { context, kind, store, channels } = parts;
  const present = (row: Omit<InstanceRow, 'version'>) => presentInstance(row, kind.attributes());
  const delivery = ({ uuid }: InstanceRow, { body, idempotencyKey: key }: NotifyCall) =>
    deliveryOf(body, { instance: uuid, key, now: context.clock.now() });
  return {
    listAttributeDefinitions: () => kind.attributes(),
    validateAttributes: ({ body }) => void kind.read(body),
    listNotificationInstances: async () => (await store.findAll()).map(present),
    createNotificationInstance: async ({ body, idempotencyKey, signal }) => {
      const { name, attributes } = body;
      rejectIf(nameProblems(name));
      const settings = kind.read(attributes);
      return parts.idempotency.carryOut(
        // The request is recorded without secrets: a password could be guessed from the request digest in the journal.
        {
          operation: 'createNotificationInstance',
          key: idempotencyKey,
          request: { ...body, attributes: visibleValues(attributes) },
        },
        {
          prepare: async () => {
            await kind.check?.(settings, signal);
            return { uuid: randomUUID() };
          },
          perform: async ({ uuid }) => {
            const row = rowOf(parts, { uuid, name, attributes });
            await store.insert(row, context.clock.now());
            return present(row);
          },
        },
      );
    },
    getNotificationInstance: async ({ params }) => present(await find(parts, params.uuid)),
    updateNotificationInstance: async ({ params, body, signal }) =>
      present(await update(parts, params.uuid, body, signal)),
    removeNotificationInstance: async ({ params: { uuid } }) => {
      await store.remove(uuid);
      channels.close(uuid);
    },
    sendNotification: async (call) => {
      const row = await find(parts, call.params.uuid);
      await withDeadline(call.signal, SENDING_MS, ({ signal }) => channels.of(row).send(delivery(row, call), signal));
    },
    previewNotification: async (call) => {
      const row = await find(parts, call.params.uuid);
      return channels.of(row).preview(delivery(row, call));
    },
    listMappingAttributes: () => [],
  };
};

interface NotifyCall {
  readonly body: Parameters<typeof deliveryOf>[0];
  readonly idempotencyKey?: string | undefined;
}

async function find({ store }: Pick<NotificationParts<unknown>, 'store'>, uuid: string): Promise<InstanceRow> {
  const row = await store.find(uuid);
  if (!row) throw notFound('Notification instance', uuid);
  return row;
}

const nameProblems = (name: string): string[] =>
  name.trim() === '' ? ['The notification instance must have a name.'] : [];

interface InstanceSpec {
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
}

const rowOf = (
  { context }: Pick<NotificationParts<unknown>, 'context'>,
  { uuid, name, attributes }: InstanceSpec & { readonly uuid: string },
): Omit<InstanceRow, 'version'> => ({
  uuid,
  name,
  attributes: visibleValues(attributes),
  sealed_secrets: sealHidden(context, uuid, attributes),
});

async function update<Settings>(
  parts: NotificationParts<Settings>,
  uuid: string,
  { name, attributes: given }: InstanceSpec,
  signal: AbortSignal,
): Promise<InstanceRow> {
  const { context, kind, store, channels } = parts;
  const present = await find(parts, uuid);
  rejectIf(nameProblems(name));
  const kept = openHidden(context, present);
  const attributes = withStoredHidden(given, kept);
  const settings = kind.read(attributes);
  const isSamePlace = kind.destination(settings) === previousDestination(kind, [...present.attributes, ...kept]);
  // Secrets entered for one destination are not sent to a different one.
  const wish = isSamePlace ? { settings, attributes } : { settings: kind.read(given), attributes: given };
  await kind.check?.(wish.settings, signal);
  const row = await store.update(rowOf(parts, { uuid, name, attributes: wish.attributes }));
  if (!row) throw notFound('Notification instance', uuid);
  channels.close(uuid);
  return row;
}

/** Returns undefined if the stored values are now rejected; only a change can fix that. */
function previousDestination<Settings>(
  kind: NotificationKind<Settings>,
  values: InstanceSpec['attributes'],
): string | undefined {
  try {
    return kind.destination(kind.read(values));
  } catch (error) {
    if (isConnectorError(error)) return undefined;
    throw error;
  }
}

/** Format of delivery identifiers, by which receivers recognize duplicates. */
const FIT = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the delivery identifier, derived from the caller's key. Without a key, it is derived from the content and the
 * day (UTC): a repeated call is the same delivery, but a reminder on the next day is a new one.
 */
function deliveryOf(
  body: NotificationProviderNotifyRequestDto,
  { instance, key, now }: { readonly instance: string; readonly key: string | undefined; readonly now: Date },
): NotificationDelivery {
  if (key !== undefined) return { id: FIT.test(key) ? key : digestOf(key), isNamed: true, body, instance };
  return {
    id: digestOf(instance, now.toISOString().slice(0, 10), JSON.stringify(body)),
    isNamed: false,
    body,
    instance,
  };
}

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
