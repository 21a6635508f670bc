// Browser sessions, each of which consists of an opaque random token in a cookie and a row in the database. The token
// itself is never stored.
import { hash } from 'node:crypto';
import type { SessionOpening } from '@signetry/contract';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { newUuid, randomToken } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import * as store from './store.ts';

/** Session lifetimes: the maximum idle time and the maximum total time. */
export interface SessionTimes {
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

/** Precision of "last seen", so that each session causes one write per minute rather than one per request. */
const TOUCH_MS = 60 * 1000;
const MAX_USER_AGENT = 300;
/** Format of tokens created by `randomToken`. */
const TOKEN_TEXT = /^[A-Za-z0-9_-]{43}$/;

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

export const isTokenText = (text: string): boolean => TOKEN_TEXT.test(text);

export interface OpenedSession {
  readonly token: Secret;
  readonly expiresAt: Date;
}

/** How a session began. This is shown to the user, who may not recognize the session. */
export interface SessionOrigin {
  readonly openedWith: SessionOpening;
  readonly passkeyUuid: string | null;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** Idle timeout in seconds; if undefined, the default applies. */
  readonly idleS?: number | undefined;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ database, clock }: Platform, times: SessionTimes) {
  const known = createExpiringCache({ clock, load: (hash: string) => findActive(hash, { isUse: true }) });
  // Cached separately, because a lookup that does not count as use must not stand in for one that does.
  const watched = createExpiringCache({ clock, load: (hash: string) => findActive(hash, { isUse: false }) });

  async function findActive(tokenSha256: string, { isUse }: { readonly isUse: boolean }) {
    const hash = Buffer.from(tokenSha256, 'base64url');
    const row = await store.findSession(database.executor, hash);
    const now = clock.now();
    const idleMs = row?.idle_s ? row.idle_s * 1000 : times.idleMs;
    if (!row || row.last_seen_at.getTime() + idleMs <= now.getTime()) return undefined;
    const touchMs = Math.min(TOUCH_MS, idleMs / 4);
    if (isUse && row.last_seen_at.getTime() + touchMs <= now.getTime())
      await store.touchSession(database.executor, hash, now);
    return { uuid: row.uuid, userUuid: row.user_uuid, expiresAtMs: row.expires_at.getTime() };
  }

  /** Returns an active session and its user. The lookup counts as use of the session unless `isUse` is false. */
  async function find(
    token: string,
    { isUse = true }: { readonly isUse?: boolean } = {},
  ): Promise<{ readonly uuid: string; readonly userUuid: string } | undefined> {
    if (!isTokenText(token)) return undefined;
    const session = await (isUse ? known : watched).get(sha256(token).toString('base64url'));
    return session && session.expiresAtMs > clock.now().getTime() ? session : undefined;
  }

  /** Opens a session with a new random token, which prevents session fixation. */
  async function open(tx: Executor, userUuid: string, origin: SessionOrigin): Promise<OpenedSession> {
    const token = randomToken();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + times.lifetimeMs);
    await store.insertSession(tx, {
      token_sha256: sha256(token),
      uuid: newUuid(),
      user_uuid: userUuid,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      opened_with: origin.openedWith,
      passkey_uuid: origin.passkeyUuid,
      user_agent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      address: origin.address,
      idle_s: origin.idleS ?? null,
    });
    return { token: new Secret(token), expiresAt };
  }

  /** Ends a session and returns its user's UUID. Call `forget` after the commit. */
  async function end(tx: Executor, token: string): Promise<string | undefined> {
    return isTokenText(token) ? store.deleteSession(tx, sha256(token)) : undefined;
  }

  const forget = (): void => {
    known.invalidate();
    watched.invalidate();
  };

  return { find, open, end, forget, idleMs: times.idleMs };
}
