// The cookie of browser sessions. Over HTTPS its name binds it to this host (`__Host-`); the plain name exists for the
// listener on the user's own machine. Anywhere else plain HTTP carries no session.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedSession } from '../credentials/sessions.ts';
import { isLoopbackHost } from '../../../platform/net/loopback.ts';

const SECURE_NAME = '__Host-signetry';
const LOCAL_NAME = 'signetry';

/** Name of the cookie for a request, or `undefined` where a session would travel in clear. */
export function cookieName(request: FastifyRequest): string | undefined {
  if (request.protocol === 'https') return SECURE_NAME;
  return isLoopbackHost(request.headers.host) ? LOCAL_NAME : undefined;
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const name = cookieName(request);
  return name === undefined ? undefined : readCookie(request, name);
}

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

/** `SameSite=Lax`: the cookie comes along when another site links here, not when it posts here. */
const attributes = (name: string) => `Path=/; HttpOnly; SameSite=Lax${name === SECURE_NAME ? '; Secure' : ''}`;

/** Hands the session to the browser for as long as the browser runs; the row ends it earlier. */
export function setSessionCookie(reply: FastifyReply, name: string, session: OpenedSession): void {
  void reply.header('set-cookie', `${name}=${session.token.reveal()}; ${attributes(name)}`);
}

export function clearSessionCookie(reply: FastifyReply, name: string): void {
  void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes(name)}`);
}
