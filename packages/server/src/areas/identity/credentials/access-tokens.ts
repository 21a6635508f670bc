// Access tokens: bearer credentials that programs use on behalf of a user. They are shown once; the platform stores
// only their SHA-256 digest, and a token without a row is void. The signature makes it possible to reject forged tokens
// without a database query. A token created with another token expires no later than its parent and is revoked with it,
// so that a stolen token cannot be used to retain access. A scoped token is limited to both its scope and its user's
// permissions, and cannot create tokens.
import { timingSafeEqual } from 'node:crypto';
import type { AccessToken, AccessTokenRequest, AccessTokenScope, AccessTokenScopeRequest } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { PermissionSet } from '../../../kernel/actor.ts';
import { AppError, requireFound, notFound, rejected } from '../../../kernel/errors.ts';
import { createExpiringCache, type ExpiringCache } from '../../../kernel/expiring-cache.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { AccessTokenRow, TokenScope, UserRow } from '../tables.ts';
import { requireChangeableUser } from '../users/administration.ts';
import * as users from '../users/store.ts';
import { problemsOfNames } from '../users/user-rules.ts';
import { sha256 } from './sessions.ts';
import * as store from './store.ts';
import { createTokenCodec } from './token-codec.ts';
import type { TokenScopes } from './token-scope.ts';
import { assertUnscoped } from '../permissions/assert-unscoped.ts';

/** Far more than a user can keep track of; stops a script that creates one per run and never revokes any. */
export const MAX_TOKENS_PER_USER = 200;
/** Precision of "last used", so that each token causes at most one write per hour. */
const USE_NOTE_MS = 60 * 60 * 1000;

export interface NewAccessToken {
  readonly username: string;
  readonly name: string;
  /** Absent if the token does not expire. */
  readonly expiresAt?: Date;
  /**
   * Replaces the user's older tokens with the same name. Tokens created with an older token are kept as children of the
   * new token.
   */
  readonly replacesSameName?: boolean;
  /**
   * Whether the token can create sign-in links. True only for the token in the run file, which only the platform's
   * operator can read.
   */
  readonly opensSessions?: boolean;
  /** Absent if the token has all of its user's permissions. */
  readonly scope?: AccessTokenScopeRequest | undefined;
}

/** Token, with the token it was created with. */
export interface DescribedToken {
  readonly row: AccessTokenRow;
  readonly parent: AccessTokenRow | undefined;
  readonly scope: AccessTokenScope | undefined;
}

export interface IssuedToken extends DescribedToken {
  readonly token: Secret;
}

export interface TokenHolder {
  readonly userUuid: string;
  readonly accessTokenUuid: string;
  /** The token's maximum permissions. */
  readonly scope?: PermissionSet;
}

interface Parts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly scopes: TokenScopes;
  readonly codec: ReturnType<typeof createTokenCodec>;
  /** Tokens by identifier; cleared whenever any token changes. */
  readonly known: ExpiringCache<string, AccessTokenRow | undefined>;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(
  platform: Platform,
  { audit, scopes }: { readonly audit: AuditTrail; readonly scopes: TokenScopes },
) {
  const { clock, sealer } = platform;
  const codec = createTokenCodec(() => sealer.derive('access tokens'));
  const known = createExpiringCache({ clock, load: (uuid: string) => findToken(platform, uuid) });
  const parts: Parts = { platform, audit, scopes, codec, known };

  return {
    holderOf: (token: string) => holderOf(parts, token),
    create: (request: NewAccessToken, context: RequestContext) => create(parts, request, context),
    createOwn: (request: AccessTokenRequest, context: RequestContext) => createOwn(parts, request, context),
    listOwn: (context: RequestContext) => list(parts, callerOf(context).uuid),
    listOf: (userUuid: string) => listOf(parts, userUuid),
    opensSessions: (context: RequestContext) => canOpenSessions(parts, context),
    revokeOwn: (uuid: string, context: RequestContext) => revokeOwn(parts, uuid, context),
    revokeOf: (userUuid: string, uuid: string, context: RequestContext) => revokeOf(parts, userUuid, uuid, context),
    forget: () => known.invalidate(),
  };
}

/** Returns the row of a token that is about to be used, and records the use. */
async function findToken({ database, clock }: Platform, uuid: string): Promise<AccessTokenRow | undefined> {
  const row = await store.findAccessToken(database.executor, uuid);
  const now = clock.now();
  if (row && (row.last_used_at === null || row.last_used_at.getTime() + USE_NOTE_MS <= now.getTime())) {
    await store.recordTokenUse(database.executor, uuid, now);
  }
  return row;
}

/** Returns the user and identifier of a valid token. Takes microseconds while the token is cached. */
async function holderOf({ platform, codec, known, scopes }: Parts, token: string): Promise<TokenHolder | undefined> {
  const claims = codec.read(token);
  if (!claims) return undefined;
  const row = await known.get(claims.tokenUuid);
  if (!row || row.user_uuid !== claims.userUuid || !timingSafeEqual(row.token_sha256, hashOf(token, row.scope)))
    return undefined;
  if (row.expires_at !== null && row.expires_at <= platform.clock.now()) return undefined;
  const holder = { userUuid: row.user_uuid, accessTokenUuid: row.uuid };
  return row.scope === null ? holder : { ...holder, scope: await scopes.permissionsOf(row.scope) };
}

/**
 * Scoped tokens are hashed differently, so that a version without scope support rejects them, and so that a token whose
 * row loses its scope does not become unrestricted.
 */
const hashOf = (token: string, scope: TokenScope | null): Uint8Array =>
  sha256(scope === null ? token : `scope ${token}`);

async function create(parts: Parts, request: NewAccessToken, context: RequestContext): Promise<IssuedToken> {
  const { platform, known } = parts;
  const { clock, database } = platform;
  if (request.expiresAt && request.expiresAt <= clock.now())
    throw rejected(`The token would expire at ${request.expiresAt.toISOString()}, which is in the past.`);
  const issued = await database.transaction((tx) => insert(parts, tx, request, context));
  known.invalidate();
  return issued;
}

async function insert(
  { platform, codec, audit, scopes }: Parts,
  tx: Executor,
  request: NewAccessToken,
  context: RequestContext,
): Promise<IssuedToken> {
  const { username, name } = request;
  const now = platform.clock.now();
  const parent = await parentOf(tx, context);
  const expiresAt = earlier(request.expiresAt, parent?.expires_at);
  const user = await users.findByUsername(tx, username);
  if (!user || user.is_system)
    throw rejected(`Cannot create an access token for ${username}: the user does not exist or is a system user.`);
  const replaced = request.replacesSameName ? await store.findTokensByName(tx, { userUuid: user.uuid, name }) : [];
  if ((await store.accessTokensOf(tx, user.uuid)).length - replaced.length >= MAX_TOKENS_PER_USER)
    throw rejected(
      `Cannot create an access token: user ${username} already has ${MAX_TOKENS_PER_USER}. Revoke one first.`,
    );
  const scope = request.scope ? await scopes.read(tx, request.scope, context) : null;
  const claims = { tokenUuid: newUuid(), userUuid: user.uuid, issuedAt: now, ...(expiresAt ? { expiresAt } : {}) };
  const token = codec.sign(claims);
  const row: AccessTokenRow = {
    uuid: claims.tokenUuid,
    user_uuid: user.uuid,
    name,
    token_sha256: hashOf(token, scope),
    created_at: now,
    expires_at: expiresAt ?? null,
    last_used_at: null,
    parent_uuid: parent?.uuid ?? null,
    opens_sessions: request.opensSessions ?? false,
    scope,
  };
  await store.insertAccessToken(tx, row);
  if (replaced.length > 0) await store.replaceTokens(tx, replaced, row.uuid);
  await audit.append(tx, context, {
    facts: { module: 'auth', resource: 'users', operation: 'create' },
    objects: [{ uuid: user.uuid, name: username }],
    data: {
      accessToken: { uuid: row.uuid, name, ...(parent ? { madeWith: parent.name } : {}), ...(scope ? { scope } : {}) },
    },
  });
  return { row, parent, scope: scope ? await scopes.describe(scope) : undefined, token: new Secret(token) };
}

/** Returns the current state of the caller's token, which may have been revoked since the request was authenticated. */
async function parentOf(tx: Executor, { actor }: RequestContext): Promise<AccessTokenRow | undefined> {
  if (actor.accessTokenUuid === undefined) return undefined;
  const row = await store.holdAccessToken(tx, actor.accessTokenUuid);
  if (!row) throw new AppError('unauthenticated', { reason: 'the bearer token is unknown, expired or revoked' });
  return row;
}

/** Returns a user's usable tokens, each with its parent. */
async function list({ platform, scopes }: Parts, userUuid: string): Promise<DescribedToken[]> {
  const now = platform.clock.now();
  const rows = await store.accessTokensOf(platform.database.executor, userUuid);
  return Promise.all(
    rows
      .filter((row) => row.expires_at === null || row.expires_at > now)
      .map(async (row) => ({
        row,
        parent: rows.find(({ uuid }) => uuid === row.parent_uuid),
        scope: row.scope ? await scopes.describe(row.scope) : undefined,
      })),
  );
}

async function listOf(parts: Parts, userUuid: string): Promise<DescribedToken[]> {
  requireFound(await users.findOne(parts.platform.database.executor, userUuid), 'User', userUuid);
  return list(parts, userUuid);
}

/** Returns whether this request's credential can be used to create a sign-in link. */
async function canOpenSessions({ known }: Parts, { actor }: RequestContext): Promise<boolean> {
  if (actor.authMethod === 'session') return true;
  const row = actor.accessTokenUuid === undefined ? undefined : await known.get(actor.accessTokenUuid);
  return row?.opens_sessions ?? false;
}

async function createOwn(parts: Parts, request: AccessTokenRequest, context: RequestContext): Promise<IssuedToken> {
  assertUnscoped(context);
  const problems = problemsOfNames({ 'The token name': request.name });
  if (problems.length > 0) throw rejected(...problems);
  await parts.platform.limits.newCredentials.take(callerOf(context).uuid);
  const expiry = request.expiresAt === undefined ? {} : { expiresAt: new Date(request.expiresAt) };
  const { name, scope } = request;
  return create(parts, { username: callerOf(context).username, name, scope, ...expiry }, context);
}

async function revokeOwn(parts: Parts, uuid: string, context: RequestContext): Promise<void> {
  assertUnscoped(context);
  const user = callerOf(context);
  await parts.platform.database.transaction((tx) => revoke(parts, tx, { user, uuid }, context));
  parts.known.invalidate();
}

async function revokeOf(parts: Parts, userUuid: string, uuid: string, context: RequestContext): Promise<void> {
  await parts.platform.database.transaction(async (tx) =>
    revoke(parts, tx, { user: await requireChangeableUser(tx, userUuid, context), uuid }, context),
  );
  parts.known.invalidate();
}

/** Revokes a token and all tokens created with it, directly or indirectly. */
async function revoke(
  { audit }: Parts,
  tx: Executor,
  { user, uuid }: { readonly user: Pick<UserRow, 'uuid' | 'username'>; readonly uuid: string },
  context: RequestContext,
): Promise<void> {
  const rows = await store.deleteTokenTree(tx, { userUuid: user.uuid, uuid });
  const row = rows.find((each) => each.uuid === uuid.toLowerCase());
  if (!row) throw notFound('Access token', uuid);
  const descendants = rows.filter((each) => each !== row).map(({ uuid, name }) => ({ uuid, name }));
  await audit.append(tx, context, {
    objects: [{ uuid: user.uuid, name: user.username }],
    data: {
      accessToken: { uuid: row.uuid, name: row.name },
      ...(descendants.length > 0 ? { endedWithIt: descendants } : {}),
    },
  });
}

const earlier = (wanted: Date | undefined, latest: Date | null | undefined): Date | undefined =>
  !latest || (wanted && wanted < latest) ? wanted : latest;

/** Returns the calling user. Tokens and links are for users only, not for the platform itself or protocols. */
export function callerOf(context: RequestContext): { readonly uuid: string; readonly username: string } {
  const { userUuid, username } = context.actor;
  if (userUuid === null || username === null)
    throw rejected('Access tokens and sign-in links are available only to signed-in users.');
  return { uuid: userUuid, username };
}

export const presentAccessToken = ({ row, parent, scope }: DescribedToken): AccessToken => ({
  uuid: row.uuid,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString(),
  madeWith: parent && { uuid: parent.uuid, name: parent.name },
  scope,
});
