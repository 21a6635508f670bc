// Queues the messages for notification profiles in the transaction that raises them. This code makes no external calls.
import { resourceEventFacts, type Resource, type ResourceEvent } from '@signetry/contract';
import { rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findLatestVersions, findVersion, type ShownProfile } from '../store.ts';
import { insertDelivery } from '../store-deliveries.ts';
import { insertNotifications } from '../store-inbox.ts';
import { storePending, lockPending } from '../store-pending.ts';
import type { EventData, NamedRecipient, PendingRow } from '../tables.ts';
import { hasFrequency, nextCheckAt, maySend } from './repetition.ts';
import type { Recipients } from './recipients.ts';
import { textOf } from './texts.ts';

/** Message to send. */
export interface Message {
  /**
   * Stable text that identifies the cause, e.g. the event and the execution. Recipients are notified of each cause
   * once.
   */
  readonly cause: string;
  readonly event: ResourceEvent;
  readonly resource: Resource;
  readonly objectUuid: string | null;
  readonly data: EventData;
}

export interface SendParts {
  readonly platform: Platform;
  readonly recipients: Recipients;
}

/** Sends notifications according to the profiles; rejects (422) if none of the profiles exist. */
export async function send(
  parts: SendParts,
  tx: Executor,
  { profileUuids, ...message }: Message & { readonly profileUuids: readonly string[] },
): Promise<void> {
  const latest = await findLatestVersions(tx, profileUuids);
  if (latest.length === 0 && profileUuids.length > 0)
    throw rejected(`Cannot send the notification: no notification profile ${profileUuids.join(', ')} exists.`);
  for (const profile of latest.toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1))) {
    if (resourceEventFacts[message.event].monitoring) await notifyOfCondition(parts, tx, { profile, message });
    else await notifyRecipients(parts, tx, { profile, message });
  }
}

interface ProfileMessage {
  readonly profile: ShownProfile;
  readonly message: Message;
}

/** Repetitions continue with the profile version with which they started. */
async function notifyOfCondition(parts: SendParts, tx: Executor, { profile, message }: ProfileMessage): Promise<void> {
  const { event, objectUuid } = message;
  if (objectUuid === null) return void (await notifyRecipients(parts, tx, { profile, message }));
  const pending = await lockPending(tx, { profile_uuid: profile.uuid, event, object_uuid: objectUuid });
  const used = pending ? ((await findVersion(tx, profile.uuid, pending.version)) ?? profile) : profile;
  await notifyIfDue(parts, tx, { profile: used, message, pending });
}

/** Notifies the recipients if the profile's frequency allows it, and records that it did so. */
export async function notifyIfDue(
  parts: SendParts,
  tx: Executor,
  { profile, message, pending }: ProfileMessage & { readonly pending: PendingRow | undefined },
): Promise<void> {
  const now = parts.platform.clock.now();
  if (!maySend(pending, profile, now)) return;
  const isTold = await notifyRecipients(parts, tx, { profile, message });
  if (!isTold || message.objectUuid === null || !hasFrequency(profile)) return;
  const told = { sent_count: (pending?.sent_count ?? 0) + 1, last_sent_at: now };
  await storePending(tx, {
    profile_uuid: profile.uuid,
    version: profile.version,
    event: message.event,
    resource: message.resource,
    object_uuid: message.objectUuid,
    data: message.data,
    ...told,
    next_at: nextCheckAt(told, profile, now),
  });
}

/** Returns true if a message was queued, or was shown to at least one recipient. */
async function notifyRecipients(
  parts: SendParts,
  tx: Executor,
  { profile, message }: ProfileMessage,
): Promise<boolean> {
  const recipients = await parts.recipients.of(tx, profile, message);
  const isQueued = await queue(parts, tx, { profile, message, recipients });
  const isShown = await show(parts, tx, { profile, message, recipients });
  return isQueued || isShown;
}

type ToRecipients = ProfileMessage & { readonly recipients: readonly NamedRecipient[] };

async function queue(
  { platform }: SendParts,
  tx: Executor,
  { profile, message, recipients }: ToRecipients,
): Promise<boolean> {
  if (profile.instance_uuid === null || (recipients.length === 0 && profile.recipient_type !== 'none')) return false;
  const delivery = {
    cause: `${message.cause}/${profile.uuid}`,
    instance_uuid: profile.instance_uuid,
    instance_name: profile.instance_name ?? '',
    profile_uuid: profile.uuid,
    profile_name: profile.name,
    profile_version: profile.version,
    event: message.event,
    resource: message.resource,
    object_uuid: message.objectUuid,
    recipients,
    data: message.data,
  };
  return insertDelivery(tx, delivery, platform.clock.now());
}

/** For most events, the platform notifies the affected users even without a profile. */
async function show(
  { platform, recipients: find }: SendParts,
  tx: Executor,
  { profile, message, recipients }: ToRecipients,
): Promise<boolean> {
  const isToldAnyway = profile.recipient_type === 'default' && isReportedWithoutProfile(message.event);
  const text = textOf(message.event, message.data);
  if (!profile.internal || isToldAnyway || !text) return false;
  const sentAt = platform.clock.now();
  const people = await find.people(tx, recipients);
  const told = people.map((userUuid) => ({
    user_uuid: userUuid,
    cause: message.cause,
    message: text.message,
    detail: text.detail,
    target_resource: text.target?.resource ?? null,
    target_uuids: [...(text.target?.uuids ?? [])],
    sent_at: sentAt,
  }));
  return (await insertNotifications(tx, told)) > 0;
}

/** Events of which the platform notifies users regardless of profiles. */
export const REPORTED_WITHOUT_PROFILE: readonly string[] = [
  'certificate_status_changed',
  'certificate_action_performed',
  'discovery_finished',
  'approval_requested',
  'approval_closed',
  'scheduled_job_finished',
  'certificate_not_served',
  'certificate_change_ended',
];

const isReportedWithoutProfile = (event: string): boolean => REPORTED_WITHOUT_PROFILE.includes(event);
