// Validates the user data in a request: the person and the groups.
import type { AddUserRequestDto } from '@signetry/contract';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findGroups, findMemberships, replaceMemberships } from '../../groups/index.ts';
import type { UserRow } from '../tables.ts';
import { blankToNull, problemsOfDescription, problemsOfNames } from './user-rules.ts';
import { problemsOfMailAddress } from './mail-addresses.ts';

type PersonRequest = Pick<AddUserRequestDto, 'firstName' | 'lastName' | 'email' | 'description'>;
type Person = Pick<UserRow, 'first_name' | 'last_name' | 'email' | 'description'>;

/** Returns the person in a request; rejects texts that are too long or malformed, or contain control characters. */
export function validatePerson(request: PersonRequest, username?: string): Person {
  const person = personOf(request);
  const problems = [
    ...problemsOfNames({
      'The username': username,
      'The first name': person.first_name,
      'The last name': person.last_name,
    }),
    ...problemsOfMailAddress(person.email),
    ...problemsOfDescription(person.description),
  ];
  if (problems.length > 0) throw rejected(...problems);
  return person;
}

/**
 * Returns the fields that a request can set. They are listed one by one, so that no other part of a body reaches a row.
 */
const personOf = (request: PersonRequest): Person => ({
  first_name: blankToNull(request.firstName),
  last_name: blankToNull(request.lastName),
  email: blankToNull(request.email?.trim()),
  description: blankToNull(request.description),
});

/** Replaces the user's groups. Rejects the request unless all of the groups exist. Returns the added groups. */
export async function replaceGroups(
  tx: Executor,
  userUuid: string,
  groupUuids: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(groupUuids.filter((uuid) => uuid !== ''))];
  const malformed = wanted.find((uuid) => !isUuid(uuid));
  if (malformed !== undefined) throw rejected('groupUuids contains a value that is not a UUID.');
  const found = new Set(wanted.length === 0 ? [] : (await findGroups(tx, wanted)).map(({ uuid }) => uuid));
  const missing = wanted.find((uuid) => !found.has(uuid.toLowerCase()));
  if (missing !== undefined) throw notFound('Group', missing);
  const current = new Set((await findMemberships(tx, 'users', [userUuid])).map(({ uuid }) => uuid));
  await replaceMemberships(tx, { resource: 'users', uuid: userUuid }, [...found]);
  return [...found].filter((uuid) => !current.has(uuid));
}
