// A browser with an authenticator, as far as the platform sees them: at `localhost`, since passkeys bind to no address.
import type { PasskeyCreationOptions } from '@signetry/contract';
import { createSoftwarePasskey, type SoftwarePasskey } from '@signetry/testkit/passkeys';
import { expect } from 'vitest';
import { send, type RawAnswer, type RawRequest } from './raw-request.ts';

export type TestBrowser = ReturnType<typeof createTestBrowser>;

/** `base`: a listener of the platform. */
export function createTestBrowser(base: string, network: Pick<RawRequest, 'tls' | 'from'> = {}) {
  const origin = base.replace('127.0.0.1', 'localhost');
  const { host } = new URL(origin);

  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
    send(base, path, {
      method: 'POST',
      headers: { host, origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...network,
    });

  /** Registers a passkey with an invitation; answers the cookie of its session as well. */
  async function accept(path: string) {
    const options = await post(`${path}/options`, {});
    const { challenge } = JSON.parse(options.text) as PasskeyCreationOptions; // of the contract
    const passkey = createSoftwarePasskey({ origin, challenge });
    const accepted = await post(path, { name: 'Test', credential: passkey.credential });
    expect(accepted.status).toBe(200);
    return { challenge, passkey, session: sessionIn(accepted), setCookie: accepted.headers['set-cookie']?.[0] };
  }

  async function newChallenge(): Promise<string> {
    const { text } = await post('/sign-in/passkey/options', {});
    return (JSON.parse(text) as { challenge: string }).challenge; // of the page
  }

  /** Signs in, truthfully or not. */
  async function signIn(passkey: SoftwarePasskey, lies: object = {}): Promise<RawAnswer> {
    const facts = { origin, challenge: await newChallenge(), ...lies };
    return post('/sign-in/passkey', { credential: passkey.assert(facts) });
  }

  const get = (path: string, session: string): Promise<RawAnswer> =>
    send(base, path, { headers: { host, cookie: session }, ...network });

  return { origin, post, get, accept, newChallenge, signIn };
}

/** The cookie as a browser sends it back. */
export const sessionIn = ({ headers }: RawAnswer): string => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
