// Invitation page, and the endpoints that its script calls. The invitation is consumed when a passkey is registered,
// not when the page is opened: mail scanners and link previews fetch URLs unprompted.
import { PasskeyRequest } from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { InvitationAcceptance, OpenInvitation } from '../credentials/accept-invitation.ts';
import { requestContext } from '../gatekeeper/request-context.ts';
import { readSessionCookie, setSessionCookie } from '../gatekeeper/session-cookie.ts';
import { ceremonyAt, CEREMONY_LIMIT_BYTES, malformed } from './ceremony.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import { rejectBeyondLimit, sendPage, type Page } from './page.ts';
import { unusableSection, partyOf, registerSection } from './passkey-section.ts';
import { pageServer } from './serve-page.ts';
import { invitedProviderButtons } from './provider-pages.ts';
import { recordRejectedSignIns } from './rejected-sign-in.ts';

const expiredPage: Page = {
  status: 410,
  title: 'This invitation can no longer be used',
  body: `<p>An invitation works once and for a limited time. A new invitation replaces the previous one.</p>\n<p>Ask an administrator for a new one.</p>`,
};

const tooManyPage: Page = {
  status: 429,
  title: 'Too many invalid links',
  body: `<p>Too many invalid links were opened from your IP address. Wait a minute and open your invitation again.</p>`,
};

const PROVIDERS = `<p>Or sign in with an existing account. From then on, you sign in with that account.</p>
`;

export interface InvitationPagesParts {
  readonly audit: AuditTrail;
  readonly invitations: InvitationAcceptance;
  readonly ownOrigins: () => readonly string[];
  /** Names of the providers that users can sign in with. */
  readonly providers: { readonly usable: () => Promise<readonly string[]> };
}

export function invitationPages(platform: Platform, parts: InvitationPagesParts): (server: FastifyInstance) => void {
  const { audit, invitations, ownOrigins } = parts;
  const recordRefused = recordRejectedSignIns(platform, audit);
  const ceremony = (request: FastifyRequest) => ceremonyAt(request, { ownOrigins, publicUrl: platform.publicUrl() });

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const invitation = await invitations.find(tokenOf(request));
    if (invitation) return sendPage(reply, pageOf(invitation, request, await parts.providers.usable()));
    const tooMany = await rejectBeyondLimit(reply, { page: tooManyPage, countRequest: () => recordRejection(request) });
    return tooMany ?? sendPage(reply, expiredPage);
  }

  function pageOf({ user }: OpenInvitation, request: FastifyRequest, providers: readonly string[]): Page {
    const path = `/invitation/${tokenOf(request)}`;
    const party = partyOf(request, platform.publicUrl());
    const isUsable = party.kind === 'usable';
    return {
      status: 200,
      title: 'You have been invited to Signetry',
      hasScript: isUsable,
      body: `<p>This invitation is for the user <strong>${escapeHtml(user.username)}</strong>. Create a passkey on this device. From then on, you sign in with the passkey and your fingerprint, face or PIN, without a password.</p>\n${isUsable ? registerSection(path) : unusableSection(party, path)}\n${providers.length === 0 ? '' : PROVIDERS + invitedProviderButtons(providers, path)}`,
    };
  }

  async function options(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { party } = ceremony(request);
    const invitation = await openInvitation(request);
    await platform.limits.passkeyChallenges.take(networkOf(request.ip));
    return reply.header('cache-control', 'no-store').send(await invitations.start(invitation, party.origin));
  }

  async function accept(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { party, cookie } = ceremony(request);
    const invitation = await openInvitation(request);
    const wanted = PasskeyRequest.safeParse(request.body);
    if (!wanted.success) throw malformed(wanted.error);
    const session = await invitations.accept(invitation, wanted.data, {
      origin: party.origin,
      context: requestContext(request, { path: '/invitation' }),
      previousSession: readSessionCookie(request),
    });
    if (!session) throw unusable();
    setSessionCookie(reply, cookie, session);
    return reply.header('cache-control', 'no-store').send({ location: '/' });
  }

  async function openInvitation(request: FastifyRequest): Promise<OpenInvitation> {
    const invitation = await invitations.find(tokenOf(request));
    if (invitation) return invitation;
    await recordRejection(request);
    throw unusable();
  }

  const recordRejection = (request: FastifyRequest) =>
    recordRefused(request, {
      operation: 'authentication',
      path: '/invitation',
      message: 'The invitation is unknown, used, replaced or expired, or its user is disabled.',
    });

  return (server) => {
    const page = pageServer(server, CEREMONY_LIMIT_BYTES);
    page('GET', '/invitation/:token', { operation: 'showInvitation', handler: show });
    page('POST', '/invitation/:token/options', { operation: 'startInvitation', handler: options });
    page('POST', '/invitation/:token', { operation: 'acceptInvitation', handler: accept });
  };
}

const unusable = () =>
  new AppError('sign_in_refused', { what: 'This invitation', help: 'ask an administrator for a new one' });

// Declared in the route.
const tokenOf = (request: FastifyRequest): string => (request.params as { readonly token: string }).token;
