// Identifiers of deliveries, by which receivers recognise what they have already.
import { createHash } from 'node:crypto';
import type { NotificationProviderNotifyRequestDto } from '@signetry/contract';
import type { NotificationDelivery } from './notification-kind.ts';

const FIT = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Of the caller's key. Without one, of what is sent and the day (UTC): a caller that repeats a call means the same
 * delivery, but a reminder of the next day is another one.
 */
export function deliveryOf(
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
