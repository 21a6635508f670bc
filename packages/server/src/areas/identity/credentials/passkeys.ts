// A user's passkeys, each of which has a name. Users can register their own passkeys only in a browser session, because
// a passkey outlives the credential with which it was registered. Administrators can remove other users' passkeys.
import type { Passkey, PasskeyCreationOptions, PasskeyRequest } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PasskeyRow, UserRow } from '../tables.ts';
import { requireChangeableUser } from '../users/administration.ts';
import { problemsOfNames } from '../users/user-rules.ts';
import * as users from '../users/store.ts';
import { callerOf } from './access-tokens.ts';
import type { OpenSessionParts } from './open-session.ts';
import type { PasskeyRegistration, Registrant } from './passkey-registration.ts';
import * as store from './store-passkeys.ts';
import { assertUnscoped } from '../permissions/assert-unscoped.ts';

export interface PasskeysParts extends OpenSessionParts {
  readonly registration: PasskeyRegistration;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys(platform: Platform, parts: PasskeysParts) {
  const { database, limits } = platform;
  const { sessions, registration } = parts;

  const listOwn = async (context: RequestContext): Promise<Passkey[]> =>
    (await store.findByUser(database.executor, callerOf(context).uuid)).map(presentPasskey);

  async function listOf(userUuid: string): Promise<Passkey[]> {
    requireFound(await users.findOne(database.executor, userUuid), 'User', userUuid);
    return (await store.findByUser(database.executor, userUuid)).map(presentPasskey);
  }

  async function start(context: RequestContext): Promise<PasskeyCreationOptions> {
    const registrant = await ownRegistrant(context);
    await limits.newCredentials.take(registrant.user.uuid);
    return registration.start(registrant);
  }

  async function register(request: PasskeyRequest, context: RequestContext): Promise<Passkey> {
    const registrant = await ownRegistrant(context);
    const made = await registration.verify(request, registrant);
    const row = await database.transaction(async (tx) => {
      const passkey = await registration.insert(tx, made, { name: request.name, registrant });
      await record(parts, tx, context, { user: registrant.user, passkey });
      return passkey;
    });
    return presentPasskey(row);
  }

  async function ownRegistrant(context: RequestContext): Promise<Registrant> {
    const { uuid } = callerOf(context);
    if (context.actor.authMethod !== 'session' || context.origin === null)
      throw new AppError('credential_not_accepted', { what: 'A passkey', accepted: 'a browser session' });
    const user = requireFound(await users.findOne(database.executor, uuid), 'User', uuid);
    return { user, origin: context.origin };
  }

  async function rename(uuid: string, name: string, context: RequestContext): Promise<Passkey> {
    assertUnscoped(context);
    const problems = problemsOfNames({ 'The passkey name': name });
    if (problems.length > 0) throw rejected(...problems);
    const user = callerOf(context);
    return database.transaction(async (tx) => {
      const passkey = requireFound(await store.rename(tx, { userUuid: user.uuid, uuid, name }), 'Passkey', uuid);
      await record(parts, tx, context, { user, passkey });
      return presentPasskey(passkey);
    });
  }

  async function removeOwn(uuid: string, context: RequestContext): Promise<void> {
    assertUnscoped(context);
    await database.transaction((tx) => remove(parts, tx, { user: callerOf(context), uuid }, context));
    sessions.forget();
  }

  async function removeOf(userUuid: string, uuid: string, context: RequestContext): Promise<void> {
    await database.transaction(async (tx) =>
      remove(parts, tx, { user: await requireChangeableUser(tx, userUuid, context), uuid }, context),
    );
    sessions.forget();
  }

  return { listOwn, listOf, start, register, rename, removeOwn, removeOf };
}

type PasskeyOwner = Pick<UserRow, 'uuid' | 'username'>;

async function remove(
  parts: PasskeysParts,
  tx: Executor,
  { user, uuid }: { readonly user: PasskeyOwner; readonly uuid: string },
  context: RequestContext,
): Promise<void> {
  const passkey = await store.remove(tx, { userUuid: user.uuid, uuid }, context.actor.sessionUuid);
  if (!passkey) throw notFound('Passkey', uuid);
  await record(parts, tx, context, { user, passkey });
}

const record = (
  { audit }: PasskeysParts,
  tx: Executor,
  context: RequestContext,
  { user, passkey }: { readonly user: PasskeyOwner; readonly passkey: PasskeyRow },
): Promise<void> =>
  audit.append(tx, context, {
    objects: [{ uuid: user.uuid, name: user.username }],
    data: { passkey: { uuid: passkey.uuid, name: passkey.name } },
  });

const presentPasskey = (row: PasskeyRow): Passkey => ({
  uuid: row.uuid,
  name: row.name,
  host: row.host,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString(),
  synced: row.synced,
});
