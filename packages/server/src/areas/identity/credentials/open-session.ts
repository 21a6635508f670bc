// Opens a session for an authenticated user and ends the browser's previous session. The request itself carries no
// user.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { PasskeyRow, UserRow } from '../tables.ts';
import type { OpenedSession, SessionOrigin, Sessions } from './sessions.ts';

/** Request that signs a browser in, and the browser's previous session. */
export interface SignInRequest {
  readonly context: RequestContext;
  readonly previousSession: string | undefined;
}

export interface OpenSessionParts {
  readonly audit: AuditTrail;
  readonly sessions: Sessions;
}

export async function openSession(
  { audit, sessions }: OpenSessionParts,
  tx: Executor,
  { uuid, username }: UserRow,
  facts: SignInRequest &
    Pick<SessionOrigin, 'openedWith' | 'idleS'> & { readonly passkey?: PasskeyRow; readonly provider?: string },
): Promise<OpenedSession> {
  const { context, previousSession, openedWith, idleS, passkey, provider } = facts;
  if (previousSession !== undefined) await sessions.end(tx, previousSession);
  const { userAgent = null, ipAddress = null } = context.source ?? {};
  const origin = { openedWith, passkeyUuid: passkey?.uuid ?? null, userAgent, address: ipAddress, idleS };
  const session = await sessions.open(tx, uuid, origin);
  await audit.append(tx, asUser(context, { uuid, username }), {
    facts: { module: 'auth', resource: 'users', operation: 'login' },
    objects: [{ uuid, name: username }],
    ...(passkey ? { data: { passkey: { uuid: passkey.uuid, name: passkey.name } } } : {}),
    ...(provider === undefined ? {} : { data: { provider } }),
  });
  return session;
}

/** Returns the context for an unauthenticated request once its user is known. */
export const asUser = (
  context: RequestContext,
  { uuid, username }: Pick<UserRow, 'uuid' | 'username'>,
): RequestContext => ({
  ...context,
  actor: { ...context.actor, type: 'user', authMethod: 'token', userUuid: uuid, username },
});
