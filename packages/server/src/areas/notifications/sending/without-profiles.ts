// Notifications that users receive without a profile. This code follows the event log and converts each event to
// notifications exactly once.
import { resourceEventFacts, ResourceEvent } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { PublishedEvent } from '../../../platform/events/followers.ts';
import { insertNotifications, type NewNotification } from '../store-inbox.ts';
import type { NamedRecipient } from '../tables.ts';
import { affectedTargets, relationOf, requesterIn, targetsOf, type Recipients } from './recipients.ts';
import { textOf } from './texts.ts';

type Target = Pick<NamedRecipient, 'resource' | 'uuid'>;

/** Creates the notifications for a batch of events. */
export async function notifyWithoutProfiles(
  recipients: Recipients,
  tx: Executor,
  events: readonly PublishedEvent[],
): Promise<void> {
  const worthTelling = events.filter(isNoteworthy);
  if (worthTelling.length === 0) return;
  const targets = await targetsOfEvents(recipients, tx, worthTelling);
  const told: NewNotification[] = [];
  // Multiple events often refer to the same groups and roles.
  const known = new Map<string, Promise<string[]>>();
  const peopleOf = (target: Target): Promise<string[]> => {
    const key = `${target.resource} ${target.uuid}`;
    const people = known.get(key) ?? recipients.people(tx, [target]);
    known.set(key, people);
    return people;
  };
  for (const event of worthTelling) {
    const text = textOf(event.event, event.data);
    const people: string[] = [];
    for (const target of targets.get(event) ?? []) people.push(...(await peopleOf(target)));
    if (!text) continue;
    for (const userUuid of new Set(people)) {
      if (isOwnAction(event, userUuid)) continue;
      told.push({
        user_uuid: userUuid,
        cause: `event/${event.uuid}`,
        message: text.message,
        detail: text.detail,
        target_resource: text.target?.resource ?? null,
        target_uuids: [...(text.target?.uuids ?? [])],
        sent_at: event.raisedAt,
      });
    }
  }
  await insertNotifications(tx, told);
}

/**
 * A certificate's first successful validation is part of its issuance. A bulk change without rejections needs no
 * notification, unless it deleted certificates.
 */
function isNoteworthy({ event, data }: PublishedEvent): boolean {
  if (event === 'certificate_change_ended') return data['kind'] === 'delete' || data['refused'] !== 0;
  return event !== 'certificate_status_changed' || data['newStatus'] !== 'Valid' || data['oldStatus'] !== 'Not checked';
}

/**
 * Users are not notified of their own successful requests, so that the inbox stays readable for users who issue
 * thousands of certificates.
 */
const isOwnAction = ({ event, data }: PublishedEvent, userUuid: string): boolean =>
  OF_REQUESTS.has(event) && data['requesterUuid'] === userUuid && data['errorMessage'] === undefined;

/** Events that name the requester. A revocation raises both of them. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['certificate_action_performed', 'certificate_status_changed']);

async function targetsOfEvents(
  recipients: Recipients,
  tx: Executor,
  events: readonly PublishedEvent[],
): Promise<ReadonlyMap<PublishedEvent, readonly Target[]>> {
  const ofBelongings = events.filter(({ event }) => relationOfEvent(event) === 'belonging');
  const uuids = [...new Set(ofBelongings.flatMap(({ objectUuid }) => objectUuid ?? []))];
  const owned = uuids.length === 0 ? new Map() : await recipients.belonging(tx, 'certificates', uuids);
  return new Map(
    events.map((event) => {
      const of = relationOfEvent(event.event);
      if (of !== 'belonging') return [event, affectedTargets(of, event.data)];
      const own = event.objectUuid === null ? undefined : owned.get(event.objectUuid);
      return [event, [...(own ? targetsOf(own) : []), ...requesterIn(event.data)]];
    }),
  );
}

/**
 * Returns how the event relates to the users it affects. Events that are not in the API specification concern a
 * certificate, or the user who requested a change.
 */
function relationOfEvent(event: string) {
  if (event === 'certificate_change_ended') return 'userOfJob';
  const known = ResourceEvent.safeParse(event);
  return known.success && resourceEventFacts[known.data] ? relationOf[known.data] : 'belonging';
}
