// Opens a session for a user who proved to be that, in place of the one that the browser had. The request itself came
// without a user.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { PasskeyRow, UserRow } from '../tables.ts';
import type { OpenedSession, SessionOrigin, Sessions } from './sessions.ts';

/** How a browser came to sign in. */
export interface SigningIn {
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
  facts: SigningIn &
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

/** The context of a request that came without a user, once it is known whose it is. */
export const asUser = (
  context: RequestContext,
  { uuid, username }: Pick<UserRow, 'uuid' | 'username'>,
): RequestContext => ({
  ...context,
  actor: { ...context.actor, type: 'user', authMethod: 'token', userUuid: uuid, username },
});
