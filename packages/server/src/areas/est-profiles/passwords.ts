// Passwords of a profile's users. They are sealed together, as JSON keyed by username, and not hashed: devices connect
// often, and a slow hash would delay every request.
import type { EstUserRequest } from '@signetry/contract';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { EstProfileRow } from './tables.ts';

const MIN_PASSWORD_LENGTH = 12;

/** Passwords by username. Must never be shown or logged. */
export type Passwords = ReadonlyMap<string, string>;

type Sealed = Pick<EstProfileRow, 'uuid' | 'sealed_passwords'>;

export function openPasswords(sealer: Sealer, { uuid, sealed_passwords: sealed }: Sealed): Passwords {
  if (sealed === null) return new Map();
  const text = Buffer.from(sealer.open(Buffer.from(sealed, 'base64'), purposeOf(uuid))).toString('utf8');
  return new Map(JSON.parse(text) as [string, string][]); // Sealed in this form by `sealPasswords`.
}

export function sealPasswords(sealer: Sealer, uuid: string, passwords: Passwords): string | null {
  if (passwords.size === 0) return null;
  const octets = Buffer.from(JSON.stringify([...passwords]), 'utf8');
  return Buffer.from(sealer.seal(octets, purposeOf(uuid))).toString('base64');
}

/** Checks users; existing users can keep their password. */
export function problemsOfUsers(users: readonly EstUserRequest[], known: Passwords): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { username, password } of users) {
    if (username.includes(':'))
      problems.push(`users: the username ${JSON.stringify(username)} must not contain a colon`);
    if (seen.has(username)) problems.push(`users: ${JSON.stringify(username)} is listed more than once`);
    seen.add(username);
    if (password === undefined && !known.has(username))
      problems.push(`users: ${JSON.stringify(username)} is new and requires a password`);
    if (password !== undefined && password.length < MIN_PASSWORD_LENGTH)
      problems.push(
        `users: the password of ${JSON.stringify(username)} must have at least ${MIN_PASSWORD_LENGTH} characters`,
      );
  }
  return problems;
}

export const passwordsOf = (users: readonly EstUserRequest[], known: Passwords): Passwords =>
  new Map(users.map(({ username, password }) => [username, password ?? known.get(username) ?? '']));

/** Sealed passwords can be opened only for the profile they were sealed for. */
const purposeOf = (uuid: string): string => `passwords of the EST profile ${uuid}`;

export const passwordColumn: SealedColumn = {
  table: 'est_profile',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_passwords',
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(uuid),
};
