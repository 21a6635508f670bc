// Pages by which a browser signs in with a one-time link, learns how to sign in, and signs out. Not part of the
// interface. A link is used up by its button only: mail scanners and previews fetch addresses without being asked.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError, retryAfterOf } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Sessions } from '../credentials/sessions.ts';
import type { SignInLinks } from '../credentials/sign-in-links.ts';
import { isCrossSite, isLedFromElsewhere } from '../gatekeeper/network.ts';
import { requestContext } from '../gatekeeper/request-context.ts';
import { clearSessionCookie, cookieName, readSessionCookie, setSessionCookie } from '../gatekeeper/session-cookie.ts';
import * as users from '../users/store.ts';
import { ownPath, sendPage, type Page } from './page.ts';
import { keepReturnPath, takeReturnPath } from './return-cookie.ts';

/** The forms here have no fields. */
const FORM_LIMIT_BYTES = 1024;

const confirmPage: Page = {
  status: 200,
  title: 'Sign in to Signetry',
  body: `<p>This link signs you in on this browser, once.</p>
<form method="post"><button type="submit" autofocus>Sign in</button></form>`,
};

const expiredPage: Page = {
  status: 410,
  title: 'This link can no longer be used',
  body: `<p>A sign-in link works once and for 15 minutes.</p>
<p>Run <code>signetry sign-in</code> on the machine that runs the platform to get a new one.</p>`,
};

const tooManyPage: Page = {
  status: 429,
  title: 'Too many links that cannot be used',
  body: `<p>Too many sign-in links that do not exist were opened from your address. Wait a minute and open your link again.</p>`,
};

const insecurePage: Page = {
  status: 400,
  title: 'Sign in over HTTPS',
  body: `<p>This address is not encrypted, so a session would travel in clear. Open the link under the HTTPS address of the platform, or on the machine itself under <code>localhost</code>.</p>
<p>If a reverse proxy does encrypt it, name the proxy in <code>--trusted-proxies</code>.</p>`,
};

const foreignPage: Page = {
  status: 403,
  title: 'Please open the link again',
  body: `<p>This request came from a page of another site. Open the sign-in link itself in your browser and use its button.</p>`,
};

const signOutPage: Page = {
  status: 200,
  title: 'Sign out of Signetry?',
  body: `<p>A page of another site led you here. You are signed out when you say so.</p>
<form method="post" action="/logout"><button type="submit" autofocus>Sign out</button></form>`,
};

const loginPage: Page = {
  status: 200,
  title: 'How to sign in',
  body: `<p>Run <code>signetry sign-in</code> on the machine that runs the platform and open the link it prints.</p>
<p>Or use a client certificate that an administrator has given to your user. Programs send an access token as <code>Authorization: Bearer</code>.</p>`,
};

export interface SignInPagesParts {
  readonly audit: AuditTrail;
  readonly sessions: Sessions;
  readonly links: SignInLinks;
  readonly ownOrigins: () => readonly string[];
}

export function signInPages(platform: Platform, parts: SignInPagesParts): (server: FastifyInstance) => void {
  const { sessions, links, ownOrigins } = parts;

  async function showLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (cookieName(request) === undefined) return sendPage(reply, insecurePage);
    return (await links.isOpen(tokenOf(request))) ? sendPage(reply, confirmPage) : refuseLink(request, reply);
  }

  async function useLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookie = cookieName(request);
    if (cookie === undefined) return sendPage(reply, insecurePage);
    // Otherwise another site could sign the browser in as somebody else, without its user noticing.
    if (isCrossSite(request, ownOrigins())) return sendPage(reply, foreignPage);
    const session = await links.redeem(tokenOf(request), {
      context: requestContext(request, { path: '/sign-in' }),
      previousSession: readSessionCookie(request),
    });
    if (!session) return refuseLink(request, reply);
    setSessionCookie(reply, cookie, session);
    return reply.redirect(takeReturnPath(request, reply), 303);
  }

  async function refuseLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      await platform.limits.failedSignIns.take(networkOf(request.ip));
    } catch (error) {
      if (!isAppError(error, 'too_many_requests')) throw error;
      return sendPage(reply.header('retry-after', retryAfterOf(error)), tooManyPage);
    }
    return sendPage(reply, expiredPage);
  }

  async function login(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookie = readSessionCookie(request);
    const signedIn = cookie !== undefined && (await sessions.userOf(cookie)) !== undefined;
    const { redirect } = request.query as { readonly redirect?: unknown }; // Fastify's parser makes an object of texts
    if (signedIn) return reply.redirect(ownPath(redirect), 303);
    keepReturnPath(reply, redirect);
    return sendPage(reply, loginPage);
  }

  async function logout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // A picture on any page could otherwise end the session of whoever looks at it.
    if (isLedFromElsewhere(request, ownOrigins()))
      return sendPage(reply, request.method === 'GET' ? signOutPage : { ...signOutPage, status: 403 });
    const cookie = readSessionCookie(request);
    if (cookie !== undefined) await endSession(platform, parts, { cookie, context: requestContext(request) });
    const name = cookieName(request);
    if (name !== undefined) clearSessionCookie(reply, name);
    return reply.header('cache-control', 'no-store').redirect('/login', 303);
  }

  return (server) => {
    // A scope of its own, since forms are read here and nowhere else.
    void server.register(async (scope) => {
      readForms(scope);
      // Naming the operation keeps the address, which holds the secret, out of logs and metrics.
      const page = (method: 'GET' | 'POST', url: string, served: { operation: string; handler: typeof login }) =>
        scope.route({
          method,
          url,
          bodyLimit: FORM_LIMIT_BYTES,
          config: { operation: served.operation },
          handler: served.handler,
        });
      page('GET', '/sign-in/:token', { operation: 'showSignInLink', handler: showLink });
      page('POST', '/sign-in/:token', { operation: 'useSignInLink', handler: useLink });
      page('GET', '/login', { operation: 'login', handler: login });
      page('GET', '/logout', { operation: 'logout', handler: logout });
      page('POST', '/logout', { operation: 'logout', handler: logout });
    });
  };
}

async function endSession(
  platform: Platform,
  { audit, sessions }: SignInPagesParts,
  { cookie, context }: { readonly cookie: string; readonly context: RequestContext },
): Promise<void> {
  await platform.database.transaction(async (tx) => {
    const userUuid = await sessions.end(tx, cookie);
    const user = userUuid === undefined ? undefined : await users.findOne(tx, userUuid);
    if (!user) return;
    const { uuid, username } = user;
    const actor = { ...anonymous, type: 'user', authMethod: 'session', userUuid: uuid, username } as const;
    await audit.append(tx, { ...context, actor }, {
      facts: { module: 'auth', resource: 'users', operation: 'logout' },
      objects: [{ uuid, name: username }],
    }); // prettier-ignore
  });
  sessions.forget();
}

/** The forms of these pages have no fields: what a browser sends with a button is let in and dropped. */
const readForms = (scope: FastifyInstance) =>
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, undefined),
  );

// named in the route
const tokenOf = (request: FastifyRequest): string => (request.params as { readonly token: string }).token;
