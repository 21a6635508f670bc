// Recipients of an event: either those listed in a profile, or the users affected by the event.
import type { RecipientType, Resource, ResourceEvent } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { Belongings } from '../../../platform/platform.ts';
import { findGroups, findMembers } from '../../groups/index.ts';
import type { Users } from '../ports.ts';
import type { EventData, NamedRecipient } from '../tables.ts';

/** How an event relates to the users it affects. */
export type EventRelation = 'belonging' | 'starter' | 'recipientOfStep' | 'creator' | 'userOfJob';

/** The relation that determines recipients of type `default`, by event. */
export const relationOf: Readonly<Record<ResourceEvent, EventRelation>> = {
  certificate_status_changed: 'belonging',
  certificate_action_performed: 'belonging',
  certificate_expiring: 'belonging',
  certificate_not_compliant: 'belonging',
  certificate_discovered: 'starter',
  discovery_finished: 'starter',
  approval_requested: 'recipientOfStep',
  approval_closed: 'creator',
  scheduled_job_finished: 'userOfJob',
};

/** Event properties that determine the recipients. */
export interface Occasion {
  readonly resource: Resource;
  readonly objectUuid: string | null;
  readonly data: EventData;
}

type Target = Pick<NamedRecipient, 'resource' | 'uuid'>;

export interface RecipientParts {
  readonly users: Users;
  /** Owners and groups of objects in all areas. */
  readonly belongings: () => Belongings;
}

export type Recipients = ReturnType<typeof createRecipients>;

export function createRecipients({ users, belongings }: RecipientParts) {
  /** Returns the owner and groups of each object that has any. */
  async function findOwnership(executor: Executor, resource: Resource, uuids: readonly string[]) {
    const found = (await belongings()[resource]?.(executor, uuids)) ?? [];
    return new Map(found.map((each) => [each.uuid, each]));
  }

  async function findAffected(executor: Executor, concern: EventRelation, occasion: Occasion): Promise<Target[]> {
    const { resource, objectUuid, data } = occasion;
    if (concern !== 'belonging') return affectedTargets(concern, data);
    const own =
      objectUuid === null ? undefined : (await findOwnership(executor, resource, [objectUuid])).get(objectUuid);
    return [...(own ? targetsOf(own) : []), ...requesterIn(data)];
  }

  /** Returns the recipients that exist, with their names. Users must also be enabled. */
  async function named(executor: Executor, targets: readonly Target[]): Promise<NamedRecipient[]> {
    const of = (wanted: NamedRecipient['resource']) =>
      targets.filter(({ resource }) => resource === wanted).map(({ uuid }) => uuid);
    const [people, groups, roles] = [of('users'), of('groups'), of('roles')];
    return [
      ...(people.length > 0 ? await users.findPeople(executor, people) : []).map(as('users')),
      ...(groups.length > 0 ? await findGroups(executor, groups) : []).map(as('groups')),
      ...(roles.length > 0 ? await users.findRoleNames(executor, roles) : []).map(as('roles')),
    ];
  }

  return {
    belonging: findOwnership,
    named,
    /** Returns a profile's recipients for an event. */
    async of(
      executor: Executor,
      profile: { readonly recipient_type: RecipientType; readonly recipient_uuids: readonly string[] },
      occasion: Occasion & { readonly event: ResourceEvent },
    ): Promise<NamedRecipient[]> {
      const { recipient_type: type, recipient_uuids: uuids } = profile;
      if (type === 'none') return [];
      if (type === 'default')
        return named(executor, await findAffected(executor, relationOf[occasion.event], occasion));
      if (type === 'owner') {
        const { requesterUuid: _requester, ...data } = occasion.data;
        const all = await findAffected(executor, 'belonging', { ...occasion, data });
        return named(
          executor,
          all.filter(({ resource }) => resource === 'users'),
        );
      }
      const resource = ({ user: 'users', group: 'groups', role: 'roles' } as const)[type];
      return named(
        executor,
        uuids.map((uuid) => ({ resource, uuid })),
      );
    },
    /**
     * Returns the enabled users among these recipients, and the enabled users who are currently members of the groups
     * and roles.
     */
    async people(executor: Executor, targets: readonly Target[]): Promise<string[]> {
      const found = await Promise.all(
        targets.map(async ({ resource, uuid }) => {
          if (resource === 'roles') return users.findActiveUsers(executor, { roleUuid: uuid });
          const userUuids = resource === 'users' ? [uuid] : await findMembers(executor, 'users', uuid);
          return userUuids.length === 0 ? [] : users.findActiveUsers(executor, { userUuids });
        }),
      );
      return [...new Set(found.flat())];
    },
  };
}

const as =
  (resource: NamedRecipient['resource']) =>
  ({ uuid, name }: { readonly uuid: string; readonly name: string }): NamedRecipient => ({ resource, uuid, name });

export const targetsOf = (own: {
  readonly ownerUuid: string | null;
  readonly groupUuids: readonly string[];
}): Target[] => [
  ...(own.ownerUuid === null ? [] : [{ resource: 'users' as const, uuid: own.ownerUuid }]),
  ...own.groupUuids.map((uuid) => ({ resource: 'groups' as const, uuid })),
];

/** Returns the user who requested a failed operation, regardless of who owns the object. */
export const requesterIn = ({ requesterUuid: uuid, errorMessage }: EventData): Target[] =>
  typeof uuid === 'string' && errorMessage !== undefined ? [{ resource: 'users', uuid }] : [];

/** Returns the recipients referenced in the event data. */
export function affectedTargets(concern: Exclude<EventRelation, 'belonging'>, data: EventData): Target[] {
  if (concern === 'recipientOfStep') {
    const resource = RESOURCES.get(String(data['recipientType']));
    return resource && typeof data['recipientUuid'] === 'string' ? [{ resource, uuid: data['recipientUuid'] }] : [];
  }
  const uuid = data[MEMBERS[concern]];
  return typeof uuid === 'string' ? [{ resource: 'users', uuid }] : [];
}

const MEMBERS = { starter: 'discoveryUserUuid', creator: 'creatorUuid', userOfJob: 'userUuid' } as const;
const RESOURCES: ReadonlyMap<string, NamedRecipient['resource']> = new Map([
  ['user', 'users'],
  ['group', 'groups'],
  ['role', 'roles'],
]);
