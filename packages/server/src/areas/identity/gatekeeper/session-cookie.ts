// The cookie for browser sessions. Over HTTPS, its name binds it to this host (`__Host-`); the plain name is used only
// for the listener on the user's own machine. In all other cases, no session is sent over plain HTTP.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedSession } from '../credentials/sessions.ts';
import { isLoopbackHost } from '../../../platform/net/loopback.ts';

const SECURE_NAME = '__Host-signetry';
const LOCAL_NAME = 'signetry';

/** Returns the cookie name for a request, or `undefined` if the session would be sent unencrypted. */
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

/** `SameSite=Lax`: the cookie is sent when a different site links here, but not when it posts here. */
const attributes = (name: string) => `Path=/; HttpOnly; SameSite=Lax${name === SECURE_NAME ? '; Secure' : ''}`;

/** Sets the session cookie until the browser closes; the session row expires earlier. */
export function setSessionCookie(reply: FastifyReply, name: string, session: OpenedSession): void {
  void reply.header('set-cookie', `${name}=${session.token.reveal()}; ${attributes(name)}`);
}

export function clearSessionCookie(reply: FastifyReply, name: string): void {
  void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes(name)}`);
}
