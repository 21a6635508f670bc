// Users and roles in API format.
import type { NameAndUuidDto, RoleDto, UserDetailDto, UserDto } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import { findMemberships } from '../../groups/index.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import * as store from './store.ts';

export async function presentUsers(executor: Executor, rows: readonly UserRow[]): Promise<UserDto[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const memberships = await findMemberships(executor, 'users', uuids);
  const groups = Map.groupBy(memberships, ({ object_uuid }) => object_uuid);
  return rows.map((row) =>
    presentUser(
      row,
      (groups.get(row.uuid) ?? []).map(({ uuid, name }) => ({ uuid, name })),
    ),
  );
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
