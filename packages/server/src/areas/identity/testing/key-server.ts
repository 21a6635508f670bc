// For tests of this area only: a token issuer on loopback, with a JWK set and user info. Its keys can be changed, and
// it can be made unreachable.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, type JWTPayload } from 'jose';

export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const ecKey = (kid: string): IssuerKey => ({
  kid,
  alg: 'ES256',
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

export const rsaKey = (kid: string): IssuerKey => ({
  kid,
  alg: 'RS256',
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

export type KeyServer = Awaited<ReturnType<typeof startKeyServer>>;

export async function startKeyServer(first: IssuerKey) {
  const state = { keys: [first], isDown: false, asked: 0, userInfo: undefined as object | undefined };
  const server = createServer((request, response) => {
    if (state.isDown) return void request.socket.destroy();
    response.setHeader('content-type', 'application/json');
    if (request.url === '/me') {
      response.statusCode = state.userInfo ? 200 : 500;
      return void response.end(JSON.stringify(state.userInfo ?? {}));
    }
    state.asked += 1;
    const keys = state.keys.map(({ publicKey, kid, alg }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg }));
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The server listens on TCP.
  const origin = `http://127.0.0.1:${port}`;
  return {
    state,
    origin,
    /** Returns a token. The specified claims override the defaults. */
    token(
      claims: JWTPayload,
      { now, key = first, header = {} }: { readonly now: Date; readonly key?: IssuerKey; readonly header?: object },
    ): Promise<string> {
      const nowS = Math.floor(now.getTime() / 1000);
      return new SignJWT({ iss: origin, aud: 'signetry', iat: nowS, exp: nowS + 300, ...claims })
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
        .sign(key.privateKey, { crit: { x: true } });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
