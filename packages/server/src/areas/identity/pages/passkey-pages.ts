// Endpoints that the script of the sign-in page calls to sign in with a passkey, and the script itself. Not part of the
// API: the response is a session cookie.
import { readFile } from 'node:fs/promises';
import { PasskeyAssertion } from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isObject } from '../../../kernel/is-object.ts';
import type { PasskeySignIn } from '../credentials/passkey-sign-in.ts';
import { requestContext } from '../gatekeeper/request-context.ts';
import { readSessionCookie, setSessionCookie } from '../gatekeeper/session-cookie.ts';
import { ceremonyAt, CEREMONY_LIMIT_BYTES, malformed } from './ceremony.ts';
import { SCRIPT_PATH, SIGN_IN_PATH } from './passkey-section.ts';
import { claimReturnPath } from './return-cookie.ts';
import { pageServer } from './serve-page.ts';

export interface PasskeyPagesParts {
  readonly passkeySignIn: PasskeySignIn;
  readonly ownOrigins: () => readonly string[];
}

export function passkeyPages(platform: Platform, parts: PasskeyPagesParts): (server: FastifyInstance) => void {
  const { passkeySignIn, ownOrigins } = parts;
  const ceremony = (request: FastifyRequest) => ceremonyAt(request, { ownOrigins, publicUrl: platform.publicUrl() });

  async function options(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { party } = ceremony(request);
    await platform.limits.passkeyChallenges.take(networkOf(request.ip));
    return reply.header('cache-control', 'no-store').send(await passkeySignIn.start(party));
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { party, cookie } = ceremony(request);
    const assertion = PasskeyAssertion.safeParse(isObject(request.body) ? credentialIn(request.body) : undefined);
    if (!assertion.success) throw malformed(assertion.error);
    const session = await passkeySignIn.signIn(assertion.data, {
      party,
      context: requestContext(request),
      previousSession: readSessionCookie(request),
    });
    setSessionCookie(reply, cookie, session);
    return reply.header('cache-control', 'no-store').send({ location: claimReturnPath(request, reply) });
  }

  return (server) => {
    const page = pageServer(server, CEREMONY_LIMIT_BYTES);
    page('POST', `${SIGN_IN_PATH}/options`, { operation: 'startPasskeySignIn', handler: options });
    page('POST', SIGN_IN_PATH, { operation: 'signInWithPasskey', handler: signIn });
    page('GET', SCRIPT_PATH, { operation: 'passkeyScript', handler: script });
  };
}

const script = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  reply.headers(SCRIPT_HEADERS).send(await readFile(new URL('passkeys.js', import.meta.url), 'utf8'));

const SCRIPT_HEADERS = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' } as const;

const credentialIn = (body: object): unknown => ('credential' in body ? body.credential : undefined);
