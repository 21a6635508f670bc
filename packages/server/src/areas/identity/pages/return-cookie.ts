// Where a browser wanted to go when it was sent to sign in, kept until it has signed in. Not a secret, and not trusted:
// it is checked to be a path of our own when it is set and again when it is used.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../gatekeeper/session-cookie.ts';
import { ownPath } from './page.ts';

const NAME = 'signetry-return';
/** As long as a sign-in link lives. */
const MAX_AGE_S = 15 * 60;
/** Only pages of sign-in links need it. */
const ATTRIBUTES = 'Path=/sign-in; HttpOnly; SameSite=Lax';

export function keepReturnPath(reply: FastifyReply, redirect: unknown): void {
  const path = ownPath(redirect);
  if (path !== '/')
    void reply.header('set-cookie', `${NAME}=${encodeURIComponent(path)}; Max-Age=${MAX_AGE_S}; ${ATTRIBUTES}`);
}

/** The path that was kept, once; the start when there is none. */
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
