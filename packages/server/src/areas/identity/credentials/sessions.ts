// Browser sessions: an opaque random text in a cookie, a row in the database. The text itself is never kept.
import { createHash } from 'node:crypto';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { randomToken } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import * as store from './store.ts';

/** A working day; then the user signs in again. */
const SESSION_LIFETIME_MS = 8 * 60 * 60 * 1000;
export const SESSION_IDLE_MS = 60 * 60 * 1000;
/** How exactly "last seen" is kept: a write per session and minute, not per request. */
const TOUCH_MS = 60 * 1000;
/** What `randomToken` makes. */
const TOKEN_TEXT = /^[A-Za-z0-9_-]{43}$/;

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const isTokenText = (text: string): boolean => TOKEN_TEXT.test(text);

export interface OpenedSession {
  readonly token: Secret;
  readonly expiresAt: Date;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database, clock }: Platform) {
  const known = createExpiringCache({ clock, load: findLiving });

  async function findLiving(tokenSha256: string) {
    const hash = Buffer.from(tokenSha256, 'base64url');
    const row = await store.findSession(database.executor, hash);
    const now = clock.now();
    if (!row || row.last_seen_at.getTime() + SESSION_IDLE_MS <= now.getTime()) return undefined;
    if (row.last_seen_at.getTime() + TOUCH_MS <= now.getTime()) await store.touchSession(database.executor, hash, now);
    return { userUuid: row.user_uuid, expiresAtMs: row.expires_at.getTime() };
  }

  /** The user of a living session. */
  async function userOf(token: string): Promise<string | undefined> {
    if (!isTokenText(token)) return undefined;
    const session = await known.get(sha256(token).toString('base64url'));
    return session && session.expiresAtMs > clock.now().getTime() ? session.userUuid : undefined;
  }

  /** Opens a session under a new random text, so that nobody can know it before (session fixation). */
  async function open(tx: Executor, userUuid: string): Promise<OpenedSession> {
    const token = randomToken();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
    await store.insertSession(tx, {
      token_sha256: sha256(token),
      user_uuid: userUuid,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
    });
    return { token: new Secret(token), expiresAt };
  }

  /** Ends a session; answers whose it was. Call `forget` after the commit. */
  async function end(tx: Executor, token: string): Promise<string | undefined> {
    return isTokenText(token) ? store.deleteSession(tx, sha256(token)) : undefined;
  }

  return { userOf, open, end, forget: () => known.invalidate() };
}
