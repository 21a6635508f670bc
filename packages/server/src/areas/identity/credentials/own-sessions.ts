// The caller's own browser sessions, which the caller can list, to notice unfamiliar sessions, and end.
import type { Session } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { OpenSessionParts } from './open-session.ts';
import type { SessionRow } from '../tables.ts';
import { callerOf } from './access-tokens.ts';
import { assertUnscoped } from '../permissions/assert-unscoped.ts';
import * as store from './store.ts';

export type OwnSessions = ReturnType<typeof createOwnSessions>;

export function createOwnSessions({ database, clock }: Platform, { audit, sessions }: OpenSessionParts) {
  async function list(context: RequestContext): Promise<Session[]> {
    const now = clock.now();
    const idleSince = new Date(now.getTime() - sessions.idleMs);
    const rows = await store.sessionsOf(database.executor, { userUuid: callerOf(context).uuid, now, idleSince });
    return rows.map((row) => presentSession(row, context));
  }

  async function end(uuid: string, context: RequestContext): Promise<void> {
    assertUnscoped(context);
    const user = callerOf(context);
    await database.transaction(async (tx) => {
      if (!(await store.deleteSessionOf(tx, { userUuid: user.uuid, uuid }))) throw notFound('Session', uuid);
      await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }] });
    });
    sessions.forget();
  }

  async function endOthers(context: RequestContext): Promise<void> {
    assertUnscoped(context);
    const user = callerOf(context);
    await database.transaction(async (tx) => {
      const ended = await store.deleteOtherSessions(tx, { userUuid: user.uuid, keptUuid: context.actor.sessionUuid });
      await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }], data: { ended } });
    });
    sessions.forget();
  }

  return { list, end, endOthers };
}

const presentSession = (row: SessionRow, { actor }: RequestContext): Session => ({
  uuid: row.uuid,
  current: row.uuid === actor.sessionUuid,
  openedWith: row.opened_with,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_seen_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  userAgent: row.user_agent ?? undefined,
  address: row.address ?? undefined,
});
