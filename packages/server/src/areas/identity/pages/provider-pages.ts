// Pages for signing in at an identity provider: the redirect to the provider, and the return with a code. Also serves
// the key sets that administrators have stored, for other services that verify tokens from the same issuer. Not part of
// the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppError } from '../../../kernel/errors.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { InvitationAcceptance } from '../credentials/accept-invitation.ts';
import { isSameSiteNavigation, originOf } from '../gatekeeper/network.ts';
import { requestContext } from '../gatekeeper/request-context.ts';
import { cookieName, readCookie, readSessionCookie, setSessionCookie } from '../gatekeeper/session-cookie.ts';
import type { Providers } from '../providers/service.ts';
import type { BeginRequest, ProviderSignIn } from '../external/sign-in.ts';
import { returnPath } from '../providers/provider-settings.ts';
import { SignInRejected } from '../providers/verify-token.ts';
import { pageServer } from './serve-page.ts';
import { insecurePage, ownPath, rejectBeyondLimit, sendPage, type Page } from './page.ts';
import { recordRejectedSignIns } from './rejected-sign-in.ts';

const unknownPage: Page = {
  status: 404,
  title: 'Identity provider not found',
  body: `<p>No identity provider with this name is configured for sign-in. <a href="/login">See how to sign in</a>.</p>`,
};

const noKeysPage: Page = {
  status: 404,
  title: 'Key set not found',
  body: '<p>No key set is stored for an identity provider with this name.</p>',
};

const tooManyPage: Page = {
  status: 429,
  title: 'Too many sign-ins',
  body: `<p>Too many failed sign-ins from your IP address. Wait a minute and <a href="/login">try again</a>.</p>`,
};

const rejectedPage = (requestId: string): Page => ({
  status: 401,
  title: 'Sign-in failed',
  body: `<p>The sign-in at the identity provider failed or took too long, or your account there is not permitted to use this platform.</p>\n<p><a href="/login">Try again</a>, or open your invitation again if you have one. If it fails again, give an administrator this request ID, which identifies the reason in the log: <code>${escaped(requestId)}</code></p>`,
});

const unavailablePage = (requestId: string): Page => ({
  status: 503,
  title: 'The identity provider cannot be reached',
  body: `<p>You cannot sign in right now. <a href="/login">Try again</a> in a minute.</p>\n<p>The log contains the reason under request ID <code>${escaped(requestId)}</code></p>`,
});

export interface ProviderPagesParts {
  readonly audit: AuditTrail;
  readonly signIn: ProviderSignIn;
  readonly providers: Pick<Providers, 'all'>;
  readonly invitations: Pick<InvitationAcceptance, 'find'>;
  readonly ownOrigins: () => readonly string[];
}

type GivenRequest = Omit<BeginRequest, 'redirectUri'>;

export function providerPages(platform: Platform, parts: ProviderPagesParts): (server: FastifyInstance) => void {
  const { signIn, providers, invitations, ownOrigins } = parts;
  const recordRefused = recordRejectedSignIns(platform, parts.audit);

  const begin = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Fastify's parser returns an object of strings.
    const { redirect } = request.query as { readonly redirect?: unknown };
    return redirectToProvider(request, reply, { returnPath: ownPath(redirect) });
  };

  /**
   * Redirects to the provider, but only from an invitation page. Otherwise, a link in a message could link a user's
   * identity to the user in someone else's invitation without being noticed.
   */
  async function beginInvited(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { readonly token: string }; // Declared in the route.
    const open = isSameSiteNavigation(request, ownOrigins()) ? await invitations.find(token) : undefined;
    if (!open) return redirectTo(reply, `/invitation/${encodeURIComponent(token)}`);
    return redirectToProvider(request, reply, { returnPath: '/', invitation: token });
  }

  async function redirectToProvider(request: FastifyRequest, reply: FastifyReply, given: GivenRequest) {
    const cookie = signInCookieOf(request);
    if (cookie === undefined) return sendPage(reply, insecurePage);
    const name = nameOf(request);
    if (!(await signIn.usable()).includes(name)) return sendPage(reply, unknownPage);
    // Each request writes a row.
    const countRequest = () => platform.limits.refusedChanges.take(networkOf(request.ip));
    const tooMany = await rejectBeyondLimit(reply, { page: tooManyPage, countRequest });
    if (tooMany) return tooMany;
    const { token, url, lifetimeS } = await signIn.begin(name, {
      ...given,
      redirectUri: originOf(request) + returnPath(name),
    });
    void reply.header('set-cookie', `${cookie}=${token}; Max-Age=${lifetimeS}; ${attributesOf(cookie)}`);
    return redirectTo(reply, url);
  }

  async function finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [cookie, sessionCookie] = [signInCookieOf(request), cookieName(request)];
    if (cookie === undefined || sessionCookie === undefined) return sendPage(reply, insecurePage);
    void reply.header('set-cookie', `${cookie}=; Max-Age=0; ${attributesOf(cookie)}`);
    const context = requestContext(request, { path: returnPath(nameOf(request)), audit: LOGIN });
    try {
      const { session, returnPath: target } = await signIn.finish({
        name: nameOf(request),
        token: readCookie(request, cookie),
        address: new URL(request.url, originOf(request)),
        context,
        previousSession: readSessionCookie(request),
      });
      setSessionCookie(reply, sessionCookie, session);
      return redirectTo(reply, ownPath(target));
    } catch (error) {
      if (isAppError(error, 'unavailable')) return sendPage(reply, unavailablePage(request.id));
      if (isAppError(error, 'object_not_found')) return sendPage(reply, unknownPage);
      if (!(error instanceof SignInRejected)) throw error;
      return reject(request, reply);
    }
  }

  async function reject(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = returnPath(nameOf(request));
    const message = 'The sign-in at an identity provider failed.';
    const countRequest = () => recordRefused(request, { operation: 'login', path, message });
    return (
      (await rejectBeyondLimit(reply, { page: tooManyPage, countRequest })) ?? sendPage(reply, rejectedPage(request.id))
    );
  }

  return (server) => {
    const page = pageServer(server);
    const begins = { operation: 'beginProviderSignIn', handler: begin };
    page('GET', '/oauth2/authorization/:provider/prepare', begins);
    page('GET', '/oauth2/authorization/:provider', begins);
    page('GET', '/invitation/:token/provider/:provider', { operation: 'beginInvitedSignIn', handler: beginInvited });
    page('GET', '/login/oauth2/code/:provider', { operation: 'finishProviderSignIn', handler: finish });
    page('GET', '/oauth2/:provider/jwkSet', { operation: 'getStoredJwkSet', handler: storedKeysOf(providers) });
  };
}

const storedKeysOf =
  (providers: ProviderPagesParts['providers']) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { jwkSet } = (await providers.all()).find(({ name }) => name === nameOf(request))?.settings ?? {};
    return jwkSet === undefined
      ? sendPage(reply, noKeysPage)
      : reply.header('content-type', 'application/jwk-set+json').send(Buffer.from(jwkSet, 'base64'));
  };

const LOGIN = { module: 'auth', resource: 'users', operation: 'login' } as const;

/** Returns the path at which a browser starts the sign-in at an identity provider. */
export const providerSignInPath = (name: string): string => `/oauth2/authorization/${name}/prepare`;

/** Returns the buttons for the page with all sign-in methods; empty if no provider can be used. */
export function providerButtons(names: readonly string[], redirect: unknown): string {
  const target = ownPath(redirect);
  const query = target === '/' ? '' : `?redirect=${encodeURIComponent(target)}`;
  return buttons(names, (name) => `${providerSignInPath(name)}${query}`);
}

/** Returns the buttons for an invitation page; empty if no provider can be used. */
export const invitedProviderButtons = (names: readonly string[], invitationPath: string): string =>
  buttons(names, (name) => escapeHtml(`${invitationPath}/provider/${name}`));

const buttons = (names: readonly string[], addressOf: (name: string) => string): string =>
  names.map((name) => `<p><a class="button" href="${addressOf(name)}">Sign in with ${name}</a></p>\n`).join('');

/**
 * Returns the name of the sign-in cookie. Over HTTPS it is bound to the host, like the session cookie; it must be sent
 * when the provider redirects back.
 */
function signInCookieOf(request: FastifyRequest): string | undefined {
  const name = cookieName(request);
  return name === undefined ? undefined : `${name}-sign-in`;
}

const attributesOf = (cookie: string): string =>
  `Path=/; HttpOnly; SameSite=Lax${cookie.startsWith('__Host-') ? '; Secure' : ''}`;

const redirectTo = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(address, 303);

// Declared in the route.
const nameOf = (request: FastifyRequest): string => (request.params as { readonly provider: string }).provider;

const escaped = (text: string): string => text.replaceAll(/[^\w-]/g, '');
