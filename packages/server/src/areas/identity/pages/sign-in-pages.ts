// Pages for signing in with a one-time link, for sign-in instructions, and for signing out. Not part of the API. Only
// pressing the button on its page consumes a link, because mail scanners and link previews fetch URLs automatically.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Sessions } from '../credentials/sessions.ts';
import type { SignInLinks } from '../credentials/sign-in-links.ts';
import { isCrossSite, isCrossSiteNavigation } from '../gatekeeper/network.ts';
import { requestContext } from '../gatekeeper/request-context.ts';
import { clearSessionCookie, cookieName, readSessionCookie, setSessionCookie } from '../gatekeeper/session-cookie.ts';
import type { ProviderSessions } from '../external/provider-sessions.ts';
import * as users from '../users/store.ts';
import { insecurePage, ownPath, rejectBeyondLimit, sendPage, type Page } from './page.ts';
import { unusableSection, partyOf, signInSection } from './passkey-section.ts';
import { providerButtons } from './provider-pages.ts';
import { recordRejectedSignIns } from './rejected-sign-in.ts';
import { storeReturnPath, claimReturnPath } from './return-cookie.ts';
import { pageServer } from './serve-page.ts';

const confirmPage: Page = {
  status: 200,
  title: 'Sign in to Signetry',
  body: `<p>This link signs you in once, in this browser.</p>\n<form method="post"><button type="submit" autofocus>Sign in</button></form>`,
};

const expiredPage: Page = {
  status: 410,
  title: 'This link can no longer be used',
  body: `<p>A sign-in link works once and expires after 15 minutes.</p>\n<p>To get a new one, run <code>signetry sign-in</code> on the platform host.</p>`,
};

const tooManyPage: Page = {
  status: 429,
  title: 'Too many invalid links',
  body: `<p>Too many invalid sign-in links were opened from your IP address. Wait a minute and open your link again.</p>`,
};

const foreignPage: Page = {
  status: 403,
  title: 'Open the link again',
  body: `<p>This request came from a page of a different site. Open the sign-in link itself in your browser and use its button.</p>`,
};

const signOutPage: Page = {
  status: 200,
  title: 'Sign out of Signetry?',
  body: `<p>A page of a different site led you here. You are signed out only if you confirm.</p>\n<form method="post" action="/logout"><button type="submit" autofocus>Sign out</button></form>`,
};

const OTHER_WAYS = `<p>If you have no passkey, ask an administrator for an invitation. Or run <code>signetry sign-in</code> on the platform host and open the link it prints.</p>\n<p>A client certificate that is assigned to your user signs you in automatically. Programs send an access token as <code>Authorization: Bearer</code>.</p>`;

function loginPage(request: FastifyRequest, publicUrl: string, providers: string): Page {
  const party = partyOf(request, publicUrl);
  const isUsable = party.kind === 'usable';
  const section = isUsable ? signInSection : unusableSection(party, ownPath(request.url));
  return {
    status: 200,
    title: 'Sign in to Signetry',
    hasScript: isUsable,
    body: `${providers}${section}\n${OTHER_WAYS}`,
  };
}

export interface SignInPagesParts {
  readonly audit: AuditTrail;
  readonly sessions: Sessions;
  readonly links: SignInLinks;
  readonly ownOrigins: () => readonly string[];
  readonly providers: {
    /** Names of the providers that users can sign in with. */
    readonly usable: () => Promise<readonly string[]>;
    readonly leave: ProviderSessions['leave'];
    readonly signOutOrigin: ProviderSessions['signOutOrigin'];
  };
}

export function signInPages(platform: Platform, parts: SignInPagesParts): (server: FastifyInstance) => void {
  const { audit, sessions, links, ownOrigins } = parts;
  const recordRefused = recordRejectedSignIns(platform, audit);

  async function showLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (cookieName(request) === undefined) return sendPage(reply, insecurePage);
    return (await links.isOpen(tokenOf(request))) ? sendPage(reply, confirmPage) : rejectLink(request, reply);
  }

  async function useLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookie = cookieName(request);
    if (cookie === undefined) return sendPage(reply, insecurePage);
    // Otherwise a different site could sign the browser in as another user without its user noticing.
    if (isCrossSite(request, ownOrigins())) return sendPage(reply, foreignPage);
    const session = await links.redeem(tokenOf(request), {
      context: requestContext(request, { path: '/sign-in' }),
      previousSession: readSessionCookie(request),
    });
    if (!session) return rejectLink(request, reply);
    setSessionCookie(reply, cookie, session);
    return reply.redirect(claimReturnPath(request, reply), 303);
  }

  async function rejectLink(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const message = 'The sign-in link is unknown, used or expired.';
    const countRequest = () => recordRefused(request, { operation: 'authentication', path: '/sign-in', message });
    return (await rejectBeyondLimit(reply, { page: tooManyPage, countRequest })) ?? sendPage(reply, expiredPage);
  }

  async function login(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookie = readSessionCookie(request);
    const signedIn = cookie !== undefined && (await sessions.find(cookie)) !== undefined;
    // Fastify's parser returns an object of strings.
    const { redirect } = request.query as { readonly redirect?: unknown };
    if (signedIn) return reply.redirect(ownPath(redirect), 303);
    storeReturnPath(reply, redirect);
    const buttons = providerButtons(await parts.providers.usable(), redirect);
    return sendPage(reply, loginPage(request, platform.publicUrl(), buttons));
  }

  async function logout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Otherwise an image on any page could end the session of anyone who views it.
    const cookie = readSessionCookie(request);
    if (isCrossSiteNavigation(request, ownOrigins())) {
      const formTarget = cookie === undefined ? undefined : await parts.providers.signOutOrigin(cookie);
      const page = { ...signOutPage, ...(formTarget === undefined ? {} : { formTarget }) };
      return sendPage(reply, request.method === 'GET' ? page : { ...page, status: 403 });
    }
    const context = requestContext(request);
    const elsewhere = cookie === undefined ? undefined : await endSession(platform, parts, { cookie, context });
    const name = cookieName(request);
    if (name !== undefined) clearSessionCookie(reply, name);
    void reply.header('cache-control', 'no-store');
    // A script cannot follow a redirect to a different origin, so the console requests the URL to go to.
    if (request.headers.accept === 'application/json') return reply.send({ location: elsewhere ?? '/' });
    return reply.redirect(elsewhere ?? '/login', 303);
  }

  return (server) => {
    // Separate scope, because only these pages parse forms.
    void server.register(async (scope) => {
      readForms(scope);
      const page = pageServer(scope);
      page('GET', '/sign-in/:token', { operation: 'showSignInLink', handler: showLink });
      page('POST', '/sign-in/:token', { operation: 'useSignInLink', handler: useLink });
      page('GET', '/login', { operation: 'login', handler: login });
      page('GET', '/logout', { operation: 'logout', handler: logout });
      page('POST', '/logout', { operation: 'logout', handler: logout });
    });
  };
}

/**
 * Ends the session. If an identity provider opened the session, returns the URL at which the browser can end its
 * session there.
 */
async function endSession(
  platform: Platform,
  { audit, sessions, providers }: SignInPagesParts,
  { cookie, context }: { readonly cookie: string; readonly context: RequestContext },
): Promise<string | undefined> {
  const elsewhere = await platform.database.transaction(async (tx) => {
    const address = await providers.leave(tx, cookie);
    const userUuid = await sessions.end(tx, cookie);
    const user = userUuid === undefined ? undefined : await users.findOne(tx, userUuid);
    if (!user) return address;
    const { uuid, username } = user;
    const actor = { ...anonymous, type: 'user', authMethod: 'session', userUuid: uuid, username } as const;
    await audit.append(tx, { ...context, actor }, {
      facts: { module: 'auth', resource: 'users', operation: 'logout' },
      objects: [{ uuid, name: username }],
    }); // prettier-ignore
    return address;
  });
  sessions.forget();
  return elsewhere;
}

/** The forms of these pages have no fields: the body that a browser sends with a button is accepted and discarded. */
const readForms = (scope: FastifyInstance) =>
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, undefined),
  );

// Declared in the route.
const tokenOf = (request: FastifyRequest): string => (request.params as { readonly token: string }).token;
