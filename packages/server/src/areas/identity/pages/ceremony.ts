// Checks shared by the endpoints of passkey ceremonies: the request must come from one of our own pages, at a URL where
// passkeys work and a session is not sent unencrypted.
import type { FastifyRequest } from 'fastify';
import { AppError, rejected } from '../../../kernel/errors.ts';
import type { RelyingParty } from '../credentials/relying-party.ts';
import { isCrossSite } from '../gatekeeper/network.ts';
import { cookieName } from '../gatekeeper/session-cookie.ts';
import { partyOf } from './passkey-section.ts';

/** Far more than a passkey requires: even the largest keys and signatures are only a few hundred bytes long. */
export const CEREMONY_LIMIT_BYTES = 32 * 1024;

export interface Ceremony {
  readonly party: RelyingParty;
  /** Name of the session cookie to set. */
  readonly cookie: string;
}

export function ceremonyAt(
  request: FastifyRequest,
  { ownOrigins, publicUrl }: { readonly ownOrigins: () => readonly string[]; readonly publicUrl: string },
): Ceremony {
  if (isCrossSite(request, ownOrigins()))
    throw new AppError('unauthenticated', { reason: 'the request came from a page of a different site' });
  const party = partyOf(request, publicUrl);
  const cookie = cookieName(request);
  if (party.kind !== 'usable' || cookie === undefined)
    throw rejected('Passkeys cannot be used at this URL. Open the platform by its host name over HTTPS.');
  return { party, cookie };
}

export const malformed = ({ issues }: { readonly issues: readonly { readonly message: string }[] }): AppError =>
  new AppError('malformed_request', { problem: issues[0]?.message ?? 'it does not contain a passkey' });
