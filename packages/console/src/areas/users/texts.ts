// Text for users.
import type { UserAccess, UserDto } from '@signetry/contract';
import { capitalize } from '../../format/names.ts';

export const fullNameOf = ({ firstName, lastName }: UserDto): string =>
  [firstName, lastName].filter((part) => part !== undefined && part !== '').join(' ');

/** Returns the second line for a user in lists, below the username. */
export const secondLineOf = (user: UserDto): string | undefined =>
  user.systemUser ? 'Built-in user' : fullNameOf(user) || user.description;

export const formatRoles = ({ roles }: UserAccess): string => roles.map(({ name }) => name).join(', ');

/** Formats a user's sign-in methods, such as `Certificate, 2 passkeys`; returns undefined if there are none. */
export function describeSignInMethods({ certificate, ...access }: UserAccess): string | undefined {
  const ways = [
    ...(certificate ? ['certificate'] : []),
    ...countTexts(access.passkeys, 'passkey'),
    ...countTexts(access.externalIdentities, 'linked identity', 'linked identities'),
    ...countTexts(access.accessTokens, 'access token'),
    ...(access.invited ? ['pending invitation'] : []),
  ];
  return ways.length === 0 ? undefined : capitalize(ways.join(', '));
}

const countTexts = (many: number, one: string, several = `${one}s`): readonly string[] =>
  many === 0 ? [] : [many === 1 ? one : `${many} ${several}`];
