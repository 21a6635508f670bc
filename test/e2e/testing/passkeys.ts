// A browser with an authenticator, as the platform sees them: at `localhost`, since passkeys cannot be bound to an IP
// address.
import type { PasskeyCreationOptions } from '@signetry/contract';
import { createSoftwarePasskey, type SoftwarePasskey } from '@signetry/testkit/passkeys';
import { expect } from 'vitest';
import { send, type RawResponse, type RawRequest } from './raw-request.ts';

export type TestBrowser = ReturnType<typeof createTestBrowser>;

/** `base`: a listener of the platform. */
export function createTestBrowser(base: string, network: Pick<RawRequest, 'tls' | 'from'> = {}) {
  const origin = base.replace('127.0.0.1', 'localhost');
  const { host } = new URL(origin);

  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> =>
    send(base, path, {
      method: 'POST',
      headers: { host, origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...network,
    });

  /** Registers a passkey with an invitation; also returns the session cookie. */
  async function accept(path: string) {
    const options = await post(`${path}/options`, {});
    const { challenge } = JSON.parse(options.text) as PasskeyCreationOptions; // As defined by the contract.
    const passkey = createSoftwarePasskey({ origin, challenge });
    const accepted = await post(path, { name: 'Test', credential: passkey.credential });
    expect(accepted.status).toBe(200);
    return { challenge, passkey, session: sessionIn(accepted), setCookie: accepted.headers['set-cookie']?.[0] };
  }

  async function newChallenge(): Promise<string> {
    const { text } = await post('/sign-in/passkey/options', {});
    return (JSON.parse(text) as { challenge: string }).challenge; // Sent by the page.
  }

  /** Signs in, with correct or forged data. */
  async function signIn(passkey: SoftwarePasskey, lies: object = {}): Promise<RawResponse> {
    const facts = { origin, challenge: await newChallenge(), ...lies };
    return post('/sign-in/passkey', { credential: passkey.assert(facts) });
  }

  const get = (path: string, session: string): Promise<RawResponse> =>
    send(base, path, { headers: { host, cookie: session }, ...network });

  return { origin, post, get, accept, newChallenge, signIn };
}

/** Returns the cookie as a browser sends it back. */
export const sessionIn = ({ headers }: RawResponse): string => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
