// Users who sign in through an identity provider. They are found by issuer and subject (OpenID Connect Core §5.7),
// never by name. Depending on the provider's provisioning setting, a user is created at the first sign-in and updated
// at every sign-in. An existing user is never taken over because of a matching name.
import { coreActor, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { ExternalPerson } from '../providers/claims.ts';
import { provisioningOf } from '../providers/provisioning.ts';
import { listRoles } from '../providers/store.ts';
import { SignInRejected } from '../providers/verify-token.ts';
import { findUnrestrictedRoles } from '../permissions/store-roles.ts';
import type { ProviderRow, UserRow } from '../tables.ts';
import type { Administration } from '../users/administration.ts';
import { validatePerson } from '../users/requested-user.ts';
import type { PreparedUser, UserService } from '../users/service.ts';
import * as users from '../users/store.ts';
import type { LinkInvited } from './invited-users.ts';
import { applyGroups, changesOfGroups, type ClaimedGroups } from './claimed-groups.ts';
import { applyRoles, changesNothing, changesOfRoles, type ClaimedRoles } from './claimed-roles.ts';
import * as store from './store.ts';

export interface ExternalUsersParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly users: Pick<UserService, 'prepare' | 'insertUser'>;
  readonly linkInvited: LinkInvited;
  /** Call this after committing a change to providers. */
  readonly forgetProviders: () => void;
}

interface ExternalSignIn {
  readonly provider: Pick<ProviderRow, 'name' | 'provisioning'>;
  readonly person: ExternalPerson;
  readonly context: RequestContext;
  /** Hash of the secret in the invitation that this sign-in accepts. */
  readonly invitationSha256?: Uint8Array | undefined;
}

interface Service extends ExternalUsersParts {
  readonly platform: Platform;
}

export type ExternalUsers = ReturnType<typeof createExternalUsers>;

export function createExternalUsers(platform: Platform, parts: ExternalUsersParts) {
  const { database, clock } = platform;
  const service: Service = { platform, ...parts };
  const known = createExpiringCache({
    clock,
    load: async (key: string) =>
      (await store.findIdentity(database.executor, JSON.parse(key) as store.Subject))?.user_uuid,
  });

  /** Returns the user with these claims; throws `SignInRejected` if no such user exists or the user cannot sign in. */
  async function signInUser(arrival: ExternalSignIn): Promise<UserRow> {
    const { issuer, subject } = arrival.person;
    if (arrival.invitationSha256) await acceptInvitation(arrival, arrival.invitationSha256);
    const identity = await store.findIdentity(database.executor, { issuer, subject });
    const user = identity
      ? await users.findOne(database.executor, identity.user_uuid)
      : await createUser(service, arrival);
    if (!user) throw new SignInRejected('the user has just been deleted');
    if (!user.enabled) throw new SignInRejected(`the user ${user.username} is disabled`);
    if (identity) await synchronizeUser(service, user, arrival);
    return user;
  }

  const acceptInvitation = ({ provider, person, context }: ExternalSignIn, invitationSha256: Uint8Array) =>
    parts.linkInvited({
      invitationSha256,
      provider: provider.name,
      identity: { issuer: person.issuer, subject: person.subject },
      context,
    });

  return {
    signedIn: signInUser,
    /** Returns the linked user from this node's cache, at most a few seconds old. */
    userOf: ({ issuer, subject }: store.Subject): Promise<string | undefined> =>
      known.get(JSON.stringify({ issuer, subject })),
    forget: () => known.invalidate(),
  };
}

async function createUser(service: Service, arrival: ExternalSignIn): Promise<UserRow | undefined> {
  const { administration, users: made } = service;
  const { provider, person } = arrival;
  if (!provisioningOf(provider).createUnknownUsers)
    throw new SignInRejected(
      `no user is linked to the subject ${person.subject}, and the settings of this provider do not allow creating one`,
    );
  try {
    const { username, firstName, lastName, email } = person;
    const request = { username, firstName, lastName, email, enabled: true };
    const prepared = await made.prepare(request, withCoreActor(arrival.context));
    return await administration
      .change((tx) => insertUser(service, tx, { arrival, prepared }))
      .finally(service.forgetProviders);
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new SignInRejected(`cannot create a user: ${error.message}`, { cause: error });
  }
}

/** User administration serializes its changes, so the results of these lookups remain valid. */
async function insertUser(
  { platform, audit, users: creation }: Service,
  tx: Executor,
  { arrival, prepared }: { readonly arrival: ExternalSignIn; readonly prepared: PreparedUser },
): Promise<UserRow> {
  const { provider, person } = arrival;
  const { issuer, subject, username } = person;
  const identity = await store.findIdentity(tx, { issuer, subject });
  const already = identity && (await users.findOne(tx, identity.user_uuid));
  if (already) return already;
  if (await users.findByUsername(tx, username))
    throw new SignInRejected(`user ${username} already exists; an administrator can link the subject ${subject} to it`);
  const context = withCoreActor(arrival.context);
  const now = platform.clock.now();
  const user = await creation.insertUser(tx, prepared, context);
  await store.insertIdentity(tx, {
    uuid: newUuid(),
    issuer_url: issuer,
    subject,
    user_uuid: user.uuid,
    created_at: now,
  });
  await audit.append(tx, context, {
    facts: { module: 'auth', resource: 'users', operation: 'create' },
    objects: [{ uuid: user.uuid, name: username }],
    data: { provider: provider.name, subject },
  });
  const changes = await changesOfRoles(tx, user.uuid, claimedRoles(arrival));
  const { made } = await applyRoles(tx, user.uuid, { ...changes, now, audit, context });
  await listRoles(tx, provider.name, { roleUuids: made.map(({ uuid }) => uuid), now });
  await applyGroups(tx, user.uuid, await changesOfGroups(tx, user.uuid, claimedGroups(arrival)));
  return user;
}

/** Does nothing, and takes no locks, if the user already matches the claims. */
async function synchronizeUser(service: Service, user: UserRow, arrival: ExternalSignIn): Promise<void> {
  if (provisioningOf(arrival.provider).syncPolicy !== 'sync-data') return;
  const { platform, administration } = service;
  const claimed = claimedRoles(arrival);
  const changes = await changesOfRoles(platform.database.executor, user.uuid, claimed);
  const { changed } = await changesOfGroups(platform.database.executor, user.uuid, claimedGroups(arrival));
  if (changesNothing(changes) && changed.length === 0 && isSamePerson(user, claimedPerson(arrival))) return;
  const change = (roles: ClaimedRoles) =>
    administration.change((tx) => update(service, tx, { user, roles, arrival })).finally(service.forgetProviders);
  try {
    await change(claimed).catch(async (error: unknown) => {
      if (!isAppError(error, 'rejected_by_rules')) throw error;
      platform.log.warn({ user: user.username }, 'the last administrator keeps roles that are not in the claims');
      return change({ ...claimed, granted: await withoutAdministrators(platform.database.executor, claimed.granted) });
    });
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new SignInRejected(`cannot update the user from the claims: ${error.message}`, { cause: error });
  }
}

async function withoutAdministrators(executor: Executor, roleUuids: readonly string[]): Promise<string[]> {
  const unlimited = (await findUnrestrictedRoles(executor, roleUuids)).map(({ uuid }) => uuid);
  return roleUuids.filter((uuid) => !unlimited.includes(uuid));
}

async function update(
  { platform, audit }: Service,
  tx: Executor,
  { user, roles, arrival }: { readonly user: UserRow; readonly roles: ClaimedRoles; readonly arrival: ExternalSignIn },
): Promise<void> {
  const context = withCoreActor(arrival.context);
  const now = platform.clock.now();
  await users.update(tx, user.uuid, { ...claimedPerson(arrival), updated_at: now });
  const changes = await changesOfRoles(tx, user.uuid, roles);
  const { changed, made } = await applyRoles(tx, user.uuid, { ...changes, now, audit, context });
  await listRoles(tx, arrival.provider.name, { roleUuids: made.map(({ uuid }) => uuid), now });
  const groups = await applyGroups(tx, user.uuid, await changesOfGroups(tx, user.uuid, claimedGroups(arrival)));
  await audit.append(tx, context, {
    facts: { module: 'auth', resource: 'users', operation: 'update' },
    objects: [{ uuid: user.uuid, name: user.username }],
    ...(changed.length > 0
      ? { affiliated: { resource: 'roles', objects: changed.map(({ uuid, name }) => ({ uuid, name })) } }
      : {}),
    data: { provider: arrival.provider.name, ...(groups.length > 0 ? { groups: groups.map(({ name }) => name) } : {}) },
  });
}

type ClaimedPerson = Pick<UserRow, 'first_name' | 'last_name' | 'email'>;

/** Claims contain no description. */
function claimedPerson({ person }: ExternalSignIn): ClaimedPerson {
  const { description: _description, ...claimed } = validatePerson(person);
  return claimed;
}

const isSamePerson = (user: UserRow, claimed: ClaimedPerson): boolean =>
  user.first_name === claimed.first_name && user.last_name === claimed.last_name && user.email === claimed.email;

function claimedRoles({ provider, person }: ExternalSignIn): ClaimedRoles {
  const { createUnknownRoles, grantedRoleUuids } = provisioningOf(provider);
  return { names: person.roles, createUnknown: createUnknownRoles, granted: grantedRoleUuids };
}

const claimedGroups = ({ provider, person }: ExternalSignIn): ClaimedGroups => ({
  names: person.groups,
  granted: provisioningOf(provider).grantedGroupUuids,
});

/** Returns a context in which the platform itself creates and changes users, because the request has no user. */
const withCoreActor = (context: RequestContext): RequestContext => ({ ...context, actor: coreActor });
