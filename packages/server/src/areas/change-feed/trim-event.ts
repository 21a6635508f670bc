// References in event data to objects other than the event's own object. If the caller cannot see such an object, its
// name and identifier are omitted.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, type Actor } from '../../kernel/actor.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';

/** Members of the data that refer to an object: its identifier and other details. */
interface NamedObject {
  readonly uuid: string;
  readonly others?: readonly string[];
  readonly resource: Resource | ((data: PublishedEvent['data']) => unknown);
}

const DISCOVERY = ['discoveryName', 'discoveryUserUuid', 'discoveryConnectorUuid', 'discoveryConnectorName'];
const RECIPIENTS: Readonly<Record<string, Resource>> = { user: 'users', role: 'roles', group: 'groups' };

const namedObjects: readonly NamedObject[] = [
  { uuid: 'certificateUuid', resource: 'certificates' },
  { uuid: 'restoredCertificateUuid', resource: 'certificates' },
  { uuid: 'raProfileUuid', others: ['raProfileName'], resource: 'raProfiles' },
  { uuid: 'authorityInstanceUuid', resource: 'authorities' },
  { uuid: 'discoveryUuid', others: DISCOVERY, resource: 'discoveries' },
  { uuid: 'discoveryConnectorUuid', others: ['discoveryConnectorName'], resource: 'connectors' },
  { uuid: 'locationUuid', others: ['locationName', 'endpoint'], resource: 'locations' },
  { uuid: 'approvalProfileUuid', others: ['approvalProfileName'], resource: 'approvalProfiles' },
  { uuid: 'creatorUuid', others: ['creatorUsername'], resource: 'users' },
  { uuid: 'discoveryUserUuid', resource: 'users' },
  { uuid: 'requesterUuid', resource: 'users' },
  { uuid: 'userUuid', resource: 'users' },
  { uuid: 'recipientUuid', others: ['recipientType'], resource: (data) => RECIPIENTS[String(data['recipientType'])] },
  { uuid: 'objectUuid', others: ['objectName'], resource: (data) => data['resource'] },
];

/** Permission for any of these actions reveals an object's name. */
const SHOWING: readonly Action[] = ['list', 'detail', 'members'];

/**
 * Returns the event as visible to the actor. If nothing is omitted, the same instance is returned, because readers
 * share events.
 */
export function trimEvent(event: PublishedEvent, actor: Actor): PublishedEvent {
  const { data } = event;
  const hidden = new Set(
    namedObjects.flatMap(({ uuid: member, others = [], resource }) => {
      const uuid = data[member];
      if (typeof uuid !== 'string' || uuid === event.objectUuid || uuid === actor.userUuid) return [];
      const of = typeof resource === 'function' ? resource(data) : resource;
      // These members contain resource codes.
      return isShown(actor, of as Resource | undefined, uuid) ? [] : [member, ...others];
    }),
  );
  if (hidden.size === 0) return event;
  return { ...event, data: Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.has(name))) };
}

const isShown = ({ permissions }: Actor, resource: Resource | undefined, uuid: string): boolean =>
  resource !== undefined && SHOWING.some((action) => isAllowed(permissions, resource, action, [uuid]));
