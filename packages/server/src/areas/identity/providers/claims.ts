// What claims say about a person or program. Only what is named here is ever read. Pure.
import { isMailAddress } from '../users/mail-addresses.ts';
import { SignInRefused } from './verify-token.ts';

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

/** More than anybody holds; each costs a look-up. */
const MAX_ROLES = 200;

/** `subject` and `issuer` come from a verified token. */
export function personOf(
  verified: { readonly issuer: string; readonly subject: string },
  claims: Claims,
): ExternalPerson {
  const username = textOf(claims['username']);
  if (username === undefined) throw new SignInRefused('there is no claim "username"');
  const [firstName, lastName, claimedEmail = ''] = ['given_name', 'family_name', 'email'].map((name) =>
    textOf(claims[name]),
  );
  // People sign in although their provider has something else there.
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

/** Nobody has a role by a claim that is missing, so that losing the last one counts too. */
function rolesOf(value: unknown): string[] {
  if (value === undefined) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const roles = [...new Set(names.filter((name) => typeof name === 'string' && name.trim() !== '') as string[])];
  if (!Array.isArray(value) || roles.length > MAX_ROLES)
    throw new SignInRefused(`the claim "roles" is no list of at most ${MAX_ROLES} names`);
  return roles;
}
