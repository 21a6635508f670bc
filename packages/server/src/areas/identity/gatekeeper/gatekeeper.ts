// Authenticates the caller and checks permissions before every operation. Credentials are checked in a fixed order. If
// a credential is invalid, the request is rejected and no weaker credential is tried, except that an ended session is
// treated as no credential.
import { ownObjectsInBody, type Operation } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import { anonymous, isAllowed, type Actor } from '../../../kernel/actor.ts';
import { AppError, isAppError } from '../../../kernel/errors.ts';
import { identifiersAt } from '../../../kernel/identifiers-at.ts';
import type { Gatekeeper } from '../../../platform/http/binder.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { AccessTokens } from '../credentials/access-tokens.ts';
import type { Sessions } from '../credentials/sessions.ts';
import { isOwnToken } from '../credentials/token-codec.ts';
import type { ProviderSessions } from '../external/provider-sessions.ts';
import { rejectedToken, type ProviderTokens } from '../external/provider-tokens.ts';
import { intersectPermissions } from '../permissions/intersect.ts';
import { visibleResponse, type Requirement } from '../permissions/authorize.ts';
import type { Providers } from '../providers/service.ts';
import type { FirstAdministrator } from '../users/first-administrator.ts';
import type { ClientCertificates } from './client-certificate.ts';
import { presentedFingerprint, type ProxyTrust } from './presented-certificate.ts';
import type { Identities } from './identities.ts';
import { isCrossSite, isLocalCall, isSafeMethod } from './network.ts';
import type { RejectedCredentials } from './rejected-credentials.ts';
import { requestContext } from './request-context.ts';
import type { AccessEvaluator } from './shared-objects.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface GatekeeperParts {
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly clientCertificates: ClientCertificates;
  readonly accessTokens: AccessTokens;
  readonly firstAdministrator: FirstAdministrator;
  readonly providers: Pick<Providers, 'mayBootstrapLocally'>;
  readonly providerTokens: Pick<ProviderTokens, 'userOf'>;
  readonly providerSessions: Pick<ProviderSessions, 'isAlive'>;
  readonly refusedCredentials: RejectedCredentials;
  readonly limits: Pick<RateLimits, 'refusedChanges'>;
  readonly decide: AccessEvaluator;
  readonly proxies: ProxyTrust;
  /** Our own origins, in addition to the request's origin. */
  readonly ownOrigins: () => readonly string[];
}

const contextOf = (request: FastifyRequest) => () => requestContext(request);

const NEEDS_LOCAL_CALLER = 'only a local caller can do this, and only while there is no administrator';

export function createGatekeeper(parts: GatekeeperParts): Gatekeeper {
  const { identities, sessions, clientCertificates, accessTokens, firstAdministrator, proxies } = parts;
  const { limits, ownOrigins, decide, providerSessions, providerTokens } = parts;

  async function actorOf(request: FastifyRequest, use: { readonly isUse: boolean }): Promise<Actor> {
    const cookie = readSessionCookie(request);
    const session = cookie === undefined ? undefined : await sessions.find(cookie, use);
    if (cookie !== undefined && session && (await providerSessions.isAlive(cookie, contextOf(request)))) {
      assertSameSite(request);
      return { ...(await identities.actorOf(session.userUuid, 'session')), sessionUuid: session.uuid };
    }
    const fingerprint = presentedFingerprint(request, proxies);
    if (fingerprint !== undefined) {
      assertSameSite(request);
      return identities.actorOf(await clientCertificates.userOf(fingerprint), 'certificate');
    }
    const { authorization } = request.headers;
    return authorization === undefined ? anonymous : actorOfToken(authorization, request);
  }

  async function actorOfToken(authorization: string, request: FastifyRequest): Promise<Actor> {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
    if (token === undefined)
      throw new AppError('unauthenticated', { reason: 'the Authorization header does not contain a bearer token' });
    if (!isOwnToken(token)) return identities.actorOf(await providerTokens.userOf(token, contextOf(request)), 'token');
    const holder = await accessTokens.holderOf(token);
    if (holder === undefined) throw rejectedToken();
    const { userUuid, accessTokenUuid, scope } = holder;
    const actor = { ...(await identities.actorOf(userUuid, 'token')), accessTokenUuid };
    return scope ? { ...actor, permissions: intersectPermissions(actor.permissions, scope), hasScope: true } : actor;
  }

  /**
   * Browsers also send cookies and client certificates with requests from pages of other sites, so such requests can
   * only read.
   */
  function assertSameSite(request: FastifyRequest): void {
    if (isSafeMethod(request.method) || !isCrossSite(request, ownOrigins())) return;
    throw new AppError('unauthenticated', { reason: 'the request came from a page of a different site' });
  }

  return {
    async authenticate(request) {
      try {
        return await actorOf(request, { isUse: true });
      } catch (error) {
        // A credential that cannot be checked at the moment is not held against the caller.
        if (isAppError(error, 'unauthenticated')) await parts.refusedCredentials.record(request, error);
        throw error;
      }
    },
    authenticateAgain: (request) => actorOf(request, { isUse: false }),
    async authorize(actor, operation, { params, request }) {
      const access = accessBeforeBody(operation);
      const mayBootstrap =
        access === 'bootstrap' &&
        isLocalCall(request) &&
        (await parts.providers.mayBootstrapLocally()) &&
        (await firstAdministrator.isMissing());
      const verdict = await decide(actor, { access, also: operation.also, params, mayBootstrap });
      if (verdict.kind === 'allowed') return assertInScope(actor, operation);
      if (actor.type === 'anonymous' && operation.audit) await limits.refusedChanges.take(networkOf(request.ip));
      if (access === 'bootstrap') throw new AppError('unauthenticated', { reason: NEEDS_LOCAL_CALLER });
      if (verdict.kind === 'unauthenticated')
        throw new AppError('unauthenticated', { reason: anonymousReason(request) });
      throw rejectionOf(verdict.missing);
    },
    async authorizeObjects(actor, operation, { params, body }) {
      const { access, also } = operation;
      const named = ownObjectsInBody(operation);
      const objects = named === undefined ? [] : identifiersAt(body, named);
      const verdict = await decide(actor, { access, also, params, objects, body, mayBootstrap: false });
      if (verdict.kind !== 'allowed') throw rejectionOf(verdict.kind === 'denied' ? verdict.missing : []);
    },
    visible: (actor, operation, answer) => visibleResponse(actor.permissions, operation, answer),
  };
}

/** Callers without permission on any object are rejected before the body that names the objects is read. */
const accessBeforeBody = (operation: Operation): Operation['access'] =>
  ownObjectsInBody(operation) !== undefined && typeof operation.access === 'object'
    ? { ...operation.access, filtered: true }
    : operation.access;

/** Operations that require no permission are outside a token's scope unless the scope includes them. */
function assertInScope({ hasScope, permissions }: Actor, { access, audit, also, scope }: Operation): void {
  if (!hasScope || access !== 'authenticated' || !audit || also) return;
  if (scope && isAllowed(permissions, scope.resource, scope.action)) return;
  throw new AppError('credential_not_accepted', {
    what: 'This change',
    accepted: `a credential without a scope${scope ? `, or with the permission ${scope.action} on ${scope.resource} in its scope` : ''}`,
  });
}

const anonymousReason = (request: FastifyRequest): string =>
  readSessionCookie(request) === undefined ? 'the request contains no credential' : 'the session has ended';

function rejectionOf([missing]: readonly Requirement[]): AppError {
  const { resource, action } = missing ?? { resource: 'NONE', action: 'ANY' };
  return new AppError('access_denied', { resource, action });
}
