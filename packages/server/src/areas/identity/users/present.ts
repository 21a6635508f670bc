// Users and roles in the form of the interface.
import type { NameAndUuidDto, RoleDto, UserDetailDto, UserDto } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import { findMemberships } from '../../groups/index.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import * as store from './store.ts';

/** Memberships are asked for in pieces of this many users, well below the number of values a statement takes. */
const PIECE = 5_000;

export async function presentUsers(executor: Executor, rows: readonly UserRow[]): Promise<UserDto[]> {
  const groups = new Map<string, NameAndUuidDto[]>();
  for (let start = 0; start < rows.length; start += PIECE) {
    const uuids = rows.slice(start, start + PIECE).map(({ uuid }) => uuid);
    for (const { object_uuid, uuid, name } of await findMemberships(executor, 'users', uuids)) {
      groups.set(object_uuid, [...(groups.get(object_uuid) ?? []), { uuid, name }]);
    }
  }
  return rows.map((row) => presentUser(row, groups.get(row.uuid) ?? []));
}

export async function presentUserDetail(executor: Executor, row: UserRow): Promise<UserDetailDto> {
  const [[user], roles] = await Promise.all([presentUsers(executor, [row]), store.rolesOf(executor, row.uuid)]);
  return {
    ...(user ?? presentUser(row, [])),
    ...(row.certificate_uuid === null || row.certificate_fingerprint === null
      ? {}
      : { certificate: { uuid: row.certificate_uuid, fingerprint: row.certificate_fingerprint } }),
    roles: roles.map(presentRole),
  };
}

const presentUser = (row: UserRow, groups: NameAndUuidDto[]): UserDto => ({
  uuid: row.uuid,
  username: row.username,
  firstName: row.first_name ?? undefined,
  lastName: row.last_name ?? undefined,
  email: row.email ?? undefined,
  description: row.description ?? undefined,
  groups,
  enabled: row.enabled,
  systemUser: row.is_system,
});

export const presentRole = (row: RoleRow): RoleDto => ({
  uuid: row.uuid,
  name: row.name,
  description: row.description ?? undefined,
  email: row.email ?? undefined,
  systemRole: row.is_system,
});
