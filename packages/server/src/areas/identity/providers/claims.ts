// Extracts facts about a user or program from claims. No other claims are ever read. Pure.
import { isMailAddress } from '../users/mail-addresses.ts';
import { SignInRejected } from './verify-token.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly roles: readonly string[];
}

/** More roles than any user has; each role costs a lookup. */
const MAX_ROLES = 200;

/** Returns the person that the claims describe. `subject` and `issuer` come from a verified token. */
export function personOf(
  verified: { readonly issuer: string; readonly subject: string },
  claims: Claims,
): ExternalPerson {
  const username = textOf(claims['username']);
  if (username === undefined) throw new SignInRejected('there is no claim "username"');
  const [firstName, lastName, claimedEmail = ''] = ['given_name', 'family_name', 'email'].map((name) =>
    textOf(claims[name]),
  );
  // A malformed address at the provider does not prevent sign-in.
  const email = isMailAddress(claimedEmail.trim()) ? claimedEmail.trim() : undefined;
  return {
    ...verified,
    username,
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(email === undefined ? {} : { email }),
    roles: rolesOf(claims['roles']),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A missing claim means that the user has no roles, so that the loss of the last role also takes effect. */
function rolesOf(value: unknown): string[] {
  if (value === undefined) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const roles = [...new Set(names.filter((name) => typeof name === 'string' && name.trim() !== '') as string[])];
  if (!Array.isArray(value) || roles.length > MAX_ROLES)
    throw new SignInRejected(`the claim "roles" must be a list of at most ${MAX_ROLES} names`);
  return roles;
}
