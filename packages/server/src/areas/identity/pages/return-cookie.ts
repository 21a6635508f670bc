// The path that a browser requested before it was redirected to sign in, stored until it has signed in. The path is
// neither secret nor trusted: the platform checks that it is one of its own paths, both when setting the cookie and
// when using it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../gatekeeper/session-cookie.ts';
import { ownPath } from './page.ts';

const NAME = 'signetry-return';
/** Lifetime of a sign-in link. */
const MAX_AGE_S = 15 * 60;
/** Only the sign-in link pages need the cookie. */
const ATTRIBUTES = 'Path=/sign-in; HttpOnly; SameSite=Lax';

export function storeReturnPath(reply: FastifyReply, redirect: unknown): void {
  const path = ownPath(redirect);
  if (path !== '/')
    void reply.header('set-cookie', `${NAME}=${encodeURIComponent(path)}; Max-Age=${MAX_AGE_S}; ${ATTRIBUTES}`);
}

/** Returns the stored path and deletes it; the start page if there is none. */
export function claimReturnPath(request: FastifyRequest, reply: FastifyReply): string {
  const kept = readCookie(request, NAME);
  if (kept === undefined) return '/';
  void reply.header('set-cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`);
  return ownPath(decoded(kept));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
