// Finds the user or role that a command refers to.
import type { RoleDto, UserDto } from '@signetry/contract';
import { CliFailure } from '../failures.ts';
import type { Connection } from './connect.ts';

export async function findUser({ client, options }: Connection, username: string): Promise<UserDto> {
  const users = await client.users.listUsers({}, options);
  const people = users.filter(({ systemUser }) => !systemUser);
  return (
    people.find((one) => one.username === username) ??
    throwNotFound(`User "${username}" not found.`, `Users: ${people.map((one) => one.username).join(', ')}.`)
  );
}

/** Finds a role by name, first among the caller's own roles, which require no permission to view. */
export async function findRole({ client, options }: Connection, name: string): Promise<RoleDto> {
  const { roles: own } = await client.auth.getUserProfile({}, options);
  const ownRole = own.find((role) => role.name === name);
  if (ownRole) return ownRole;
  const roles = await client.roles.listRoles({}, options);
  return (
    roles.find((role) => role.name === name) ??
    throwNotFound(`Role "${name}" not found.`, `Roles: ${roles.map((role) => role.name).join(', ')}.`)
  );
}

function throwNotFound(message: string, help: string): never {
  throw new CliFailure(message, { help: [help] });
}
