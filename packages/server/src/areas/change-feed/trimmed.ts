// What events say of other objects than their own. Names and identifiers of those that the caller may not look at are
// left out.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, type Actor } from '../../kernel/actor.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';

/** Members of the data that name an object: its identifier, and what else is said of it. */
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
  { uuid: 'objectUuid', resource: (data) => data['resource'] },
];

/** Any of them shows what an object is called. */
const SHOWING: readonly Action[] = ['list', 'detail', 'members'];

/** The event as the actor may see it: itself where nothing is left out, as events are shared between readers. */
export function trimmed(event: PublishedEvent, actor: Actor): PublishedEvent {
  const { data } = event;
  const hidden = new Set(
    namedObjects.flatMap(({ uuid: member, others = [], resource }) => {
      const uuid = data[member];
      if (typeof uuid !== 'string' || uuid === event.objectUuid || uuid === actor.userUuid) return [];
      const of = typeof resource === 'function' ? resource(data) : resource;
      return isShown(actor, of as Resource | undefined, uuid) ? [] : [member, ...others]; // resources are told as such
    }),
  );
  if (hidden.size === 0) return event;
  return { ...event, data: Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.has(name))) };
}

const isShown = ({ permissions }: Actor, resource: Resource | undefined, uuid: string): boolean =>
  resource !== undefined && SHOWING.some((action) => isAllowed(permissions, resource, action, [uuid]));
