// Creates the first administrator, either at the first startup or for a local caller as long as there is no
// administrator.
import type { AddUserRequestDto, UserDetailDto } from '@signetry/contract';
import { coreContext, type Actor, type RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { roles } from '../permissions/store-roles.ts';
import { SUPERADMIN, type SystemUsername } from './system-accounts.ts';
import type { UserRow } from '../tables.ts';
import type { Administration } from './administration.ts';
import type { PreparedUser, UserService } from './service.ts';
import * as store from './store.ts';
import { rejectTakenNames } from './taken-names.ts';

export interface FirstAdministratorParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly users: UserService;
  readonly systemActor: (username: SystemUsername) => Promise<Actor>;
}

export function createFirstAdministrator(platform: Platform, parts: FirstAdministratorParts) {
  const { audit, administration, users, systemActor } = parts;

  /** Returns whether the platform has no administrator yet. */
  const isMissing = async (): Promise<boolean> => (await store.countAdministrators(platform.database.executor)) === 0;

  /**
   * Adds the administrator for a local caller, who acts as the system user `localhost`. Of two concurrent calls, one is
   * rejected.
   */
  async function add(request: AddUserRequestDto, context: RequestContext): Promise<UserDetailDto> {
    const local = { ...context, actor: await systemActor('localhost') };
    // Callers who cannot add an administrator must learn nothing else about the request.
    await assertMissing(platform.database.executor);
    const prepared = await users.prepare(request, local);
    const user = await rejectTakenNames(request.username, () =>
      administration.change(async (tx) => {
        await assertMissing(tx);
        return insertAdministrator(tx, prepared, local);
      }),
    );
    return users.detail(user.uuid, local);
  }

  /**
   * Creates the user at the first startup if only the platform's own users exist. Returns whether it created the user.
   */
  async function ensure(username: string): Promise<boolean> {
    const context = coreContext(newUuid());
    const prepared = await users.prepare({ username, description: 'First administrator' }, context);
    return administration.change(async (tx) => {
      if (await store.hasOrdinaryUsers(tx)) return false;
      await insertAdministrator(tx, prepared, context);
      return true;
    });
  }

  async function insertAdministrator(tx: Executor, prepared: PreparedUser, context: RequestContext): Promise<UserRow> {
    const role = await roles.findByName(tx, SUPERADMIN);
    if (!role) throw new Error(`Role ${SUPERADMIN} is missing: the system accounts have not been set up.`);
    const user = await users.insertUser(tx, prepared, context);
    await store.addRoles(tx, [{ userUuid: user.uuid, roleUuid: role.uuid }]);
    await audit.append(tx, context, {
      facts: { module: 'auth', resource: 'users', operation: 'create' },
      objects: [{ uuid: user.uuid, name: user.username }],
      affiliated: { resource: 'roles', objects: [{ uuid: role.uuid, name: role.name }] },
    });
    return user;
  }

  return { isMissing, add, ensure };
}

async function assertMissing(executor: Executor): Promise<void> {
  if ((await store.countAdministrators(executor)) === 0) return;
  throw new AppError('unauthenticated', {
    reason: 'an administrator already exists, so local callers must sign in like everyone else',
  });
}

export type FirstAdministrator = ReturnType<typeof createFirstAdministrator>;
