// The users, groups or roles that a profile names: they exist, and whoever names them may see them.
import type { NameAndUuidDto } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findGroupNames } from '../../groups/index.ts';
import type { Users } from '../ports.ts';
import { isNamed, type NamedType } from './profile-rules.ts';
import type { VersionRow } from '../tables.ts';

const resourceOf = { user: 'users', group: 'groups', role: 'roles' } as const;
const words = { user: 'User', group: 'Group', role: 'Role' } as const;

type Named = Pick<VersionRow, 'recipient_type' | 'recipient_uuids'>;

/** Those that exist, by name. */
export async function namedRecipients(
  executor: Executor,
  users: Users,
  { recipient_type: type, recipient_uuids: uuids }: Named,
): Promise<NameAndUuidDto[]> {
  if (!isNamed(type) || uuids.length === 0) return [];
  if (type === 'group') return findGroupNames(executor, uuids);
  if (type === 'role') return users.findRoleNames(executor, uuids);
  const found = await users.findUsernames(executor, uuids);
  return found
    .map(({ uuid, username: name }) => ({ uuid, name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Refuses (404) recipients that do not exist, or that the caller may not see. */
export async function assertRecipients(
  executor: Executor,
  users: Users,
  { named, context }: { readonly named: Named; readonly context: RequestContext },
): Promise<void> {
  const { recipient_type: type, recipient_uuids: uuids } = named;
  if (!isNamed(type)) return;
  const known = await namedRecipients(executor, users, named);
  const missing = uuids.find((uuid) => !known.some((each) => each.uuid === uuid) || !isSeen(context, type, uuid));
  if (missing !== undefined) throw notFound(words[type], missing);
}

const isSeen = ({ actor }: RequestContext, type: NamedType, uuid: string): boolean =>
  isAllowed(actor.permissions, resourceOf[type], 'detail', [uuid]);
