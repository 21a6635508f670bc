// What the endpoints of a passkey ceremony have in common: a page of our own must be calling, at an address where
// passkeys work and a session does not travel in clear.
import type { FastifyRequest } from 'fastify';
import { AppError, rejected } from '../../../kernel/errors.ts';
import type { RelyingParty } from '../credentials/relying-party.ts';
import { isCrossSite } from '../gatekeeper/network.ts';
import { cookieName } from '../gatekeeper/session-cookie.ts';
import { partyOf } from './passkey-section.ts';

/** Far more than a passkey takes, whose largest keys and signatures have some hundreds of octets. */
export const CEREMONY_LIMIT_BYTES = 32 * 1024;

export interface Ceremony {
  readonly party: RelyingParty;
  /** Name of the session cookie to be set. */
  readonly cookie: string;
}

export function ceremonyAt(
  request: FastifyRequest,
  { ownOrigins, publicUrl }: { readonly ownOrigins: () => readonly string[]; readonly publicUrl: string },
): Ceremony {
  if (isCrossSite(request, ownOrigins()))
    throw new AppError('unauthenticated', { reason: 'a page of another site made this request' });
  const party = partyOf(request, publicUrl);
  const cookie = cookieName(request);
  if (party.kind !== 'usable' || cookie === undefined)
    throw rejected('Passkeys cannot be used at this address; open the platform by its host name over HTTPS.');
  return { party, cookie };
}

export const malformed = ({ issues }: { readonly issues: readonly { readonly message: string }[] }): AppError =>
  new AppError('malformed_request', { problem: issues[0]?.message ?? 'it is no passkey' });
