// One delivery attempt: the call to the provider, and the record of its outcome.
import {
  notificationProviderOperations,
  type NotificationProviderNotifyRequestDto,
  type ResourceEvent,
} from '@signetry/contract';
import { chance } from '../../../kernel/chance.ts';
import { rejected } from '../../../kernel/errors.ts';
import { createExpiringCache, type ExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Connectors } from '../../connectors/index.ts';
import { mappingAttributesOf, reachInstance } from '../instances/reach.ts';
import { settleDelivery, type Settlement } from '../store-deliveries.ts';
import type { DeliveryRow, InstanceRow, NamedRecipient } from '../tables.ts';
import { MAIL_KIND, type AddressedRecipients, type Addresses } from './addresses.ts';
import { formatProblem, nextAttemptAt } from './retry-schedule.ts';
import { failureOf, isGivenUp } from './failure.ts';

/** Mail servers can take a long time to accept a message. */
export const NOTIFY_TIMEOUT_MS = 30_000;
const MAPPING_TTL_MS = 60_000;

export interface DeliverParts {
  readonly platform: Platform;
  readonly connectors: Pick<Connectors, 'client'>;
  readonly addresses: Addresses;
}

/** Names of events that predate event codes; newer events have none. */
const LEGACY_NAMES: Partial<Readonly<Record<ResourceEvent, string>>> = {
  certificate_status_changed: 'certificate_status_changed',
  certificate_action_performed: 'certificate_action_performed',
  approval_requested: 'approval_requested',
  approval_closed: 'approval_closed',
  scheduled_job_finished: 'scheduled_job_completed',
};

/** Event with its data, as delivered. */
export type Occurrence = Pick<DeliveryRow, 'event' | 'resource' | 'data'>;

export type Deliverer = ReturnType<typeof createDeliverer>;

export function createDeliverer(parts: DeliverParts) {
  const { platform, connectors, addresses } = parts;
  const { executor } = platform.database;
  // Fetched from the provider once and shared by many deliveries.
  const mappingAttributes: MappingAttributes = createExpiringCache({
    clock: platform.clock,
    ttlMs: MAPPING_TTL_MS,
    load: async (key: string) => {
      // The key is in the format that `keyOf` creates.
      const [connectorUuid = '', kind = ''] = JSON.parse(key) as string[];
      return mappingAttributesOf(await connectors.client(connectorUuid), kind, AbortSignal.timeout(NOTIFY_TIMEOUT_MS));
    },
  });

  /** Returns the request body and the skipped recipients; rejects (422) if no recipient is left. */
  async function bodyOf(
    instance: InstanceRow,
    { event, resource, data }: Occurrence,
    wanted: readonly NamedRecipient[],
  ): Promise<{ readonly body: NotificationProviderNotifyRequestDto; readonly leftOut: readonly string[] }> {
    const asked = instance.connector_uuid === null ? [] : await mappingAttributes.get(keyOf(instance));
    const found = await addresses.find(executor, wanted);
    const addressed = await addresses.address(instance, { wanted, found, asked });
    assertRecipients(instance, wanted, addressed);
    const whole = await platform.events.complete(executor, { event, data });
    const eventType = LEGACY_NAMES[event] ?? 'other';
    return {
      body: { recipients: addressed.recipients, eventType, event, resource, notificationData: whole },
      leftOut: addressed.leftOut,
    };
  }

  /** Returns a description of the skipped recipients. */
  async function attempt(instance: InstanceRow, delivery: DeliveryRow, signal?: AbortSignal): Promise<string | null> {
    const { client, params } = await reachInstance(connectors, instance);
    const { body, leftOut } = await bodyOf(instance, delivery, delivery.recipients);
    const options = { signal, idempotencyKey: delivery.idempotency_key, timeoutMs: NOTIFY_TIMEOUT_MS };
    await client.call(notificationProviderOperations.sendNotification, { params, body }, options);
    return leftOut.length === 0 ? null : formatProblem(`Skipped recipients: ${leftOut.join('; ')}.`);
  }

  return {
    bodyOf,
    /** Attempts a claimed delivery and records the outcome. Receiver errors are recorded, not thrown. */
    async deliver(instance: InstanceRow, delivery: DeliveryRow): Promise<void> {
      const settled = await attempt(instance, delivery).then(
        (problem) => deliveredAt(delivery, platform.clock.now(), problem),
        (error: unknown) => settlementOf(parts, delivery, error),
      );
      platform.faultPoint('notifications.afterCall');
      await settleDelivery(executor, delivery, settled);
    },
  };
}

type MappingAttributes = ExpiringCache<string, Awaited<ReturnType<typeof mappingAttributesOf>>>;

const keyOf = ({ connector_uuid: connectorUuid, kind }: InstanceRow): string => JSON.stringify([connectorUuid, kind]);

function assertRecipients(
  { kind }: InstanceRow,
  wanted: readonly NamedRecipient[],
  { recipients, leftOut }: AddressedRecipients,
): void {
  if (recipients.length > 0) return;
  if (wanted.length > 0) throw rejected(`No recipients left: ${leftOut.join('; ')}.`);
  if (kind === MAIL_KIND)
    throw rejected('Email requires recipients. Choose a recipient type other than none in the profile.');
}

const deliveredAt = ({ attempts }: DeliveryRow, now: Date, problem: string | null): Settlement => ({
  state: 'delivered',
  attempts,
  next_at: null,
  ended_at: now,
  problem,
});

function settlementOf({ platform }: DeliverParts, delivery: DeliveryRow, error: unknown): Settlement {
  const { clock, log } = platform;
  const now = clock.now();
  const { attempts, queued_at: queuedAt } = delivery;
  const ended = { attempts, next_at: null, ended_at: now };
  if (isGivenUp(error)) {
    // The attempt revealed nothing about the receiver, so any node can retry immediately.
    return { state: 'waiting', attempts: attempts - 1, next_at: now, ended_at: null, problem: delivery.problem };
  }
  const { problem, isFinal, retryAfterS } = failureOf(error);
  const next = isFinal ? null : nextAttemptAt(now, { attempts, queuedAt }, { retryAfterS, chance: chance() });
  if (next) return { state: 'waiting', attempts, next_at: next, ended_at: null, problem };
  log.warn({ error, delivery: delivery.uuid, instance: delivery.instance_name }, 'a notification was not delivered');
  return { ...ended, state: 'failed', problem };
}
