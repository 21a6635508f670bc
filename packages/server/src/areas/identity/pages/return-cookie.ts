// Path that a browser requested before it was redirected to sign in, stored until it has signed in. Neither secret nor
// trusted: it is checked to be one of our own paths both when it is set and when it is used.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../gatekeeper/session-cookie.ts';
import { ownPath } from './page.ts';

const NAME = 'signetry-return';
/** Lifetime of a sign-in link. */
const MAX_AGE_S = 15 * 60;
/** Only the pages of sign-in links need it. */
const ATTRIBUTES = 'Path=/sign-in; HttpOnly; SameSite=Lax';

export function keepReturnPath(reply: FastifyReply, redirect: unknown): void {
  const path = ownPath(redirect);
  if (path !== '/')
    void reply.header('set-cookie', `${NAME}=${encodeURIComponent(path)}; Max-Age=${MAX_AGE_S}; ${ATTRIBUTES}`);
}

/** Returns the stored path and deletes it; the start page if there is none. */
export function takeReturnPath(request: FastifyRequest, reply: FastifyReply): string {
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
