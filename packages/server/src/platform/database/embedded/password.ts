// The password for the database's only role. A password is used instead of `trust` because other daemons may share the
// server's uid, and instead of peer authentication because that requires the client's uid in the user database, which
// containers with arbitrary uids lack. It is stored in a file that only this process's user can read.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { directoryError, systemErrorCode } from './errors.ts';

/**
 * 256 random bits cannot be guessed, so additional hash iterations, which slow down guessing, would only slow down
 * connections.
 */
const PASSWORD_BYTES = 32;
export const SCRAM_ITERATIONS = 1;

export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/**
 * Returns undefined if there is no password. In this case, a new one can be set, because the owner of the files owns
 * the database.
 */
export function readPassword(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw directoryError(error, file);
  }
}

export function writePassword(file: string, password: string): void {
  const fresh = `${file}.new`;
  try {
    const descriptor = openSync(fresh, 'w', 0o600);
    try {
      writeFileSync(descriptor, `${password}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, file);
  } catch (error) {
    throw directoryError(error, file);
  }
}

/**
 * Returns the verifier that PostgreSQL stores instead of the password (RFC 5802 §3, RFC 7677), so that the password
 * itself never appears in SQL.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
