// Minimal server that enforces only the request rules of RFC 8555 §6, to test the test client and its invalid requests.
// It responds to a valid request with the values it read.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import {
  isPkiError,
  JoseError,
  parseJws,
  parseStrictJson,
  readJwk,
  verifyJws,
  type Jws,
  type JwkKey,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { onTestFinished } from 'vitest';

export interface ReferenceServer {
  readonly directoryUrl: string;
  readonly resourceUrl: string;
  /** The request as sent, before validation. */
  readonly bodies: readonly string[];
}

export interface SeenRequest {
  readonly payload: string;
  readonly kid?: string;
  readonly thumbprint: string;
}

const MAX_BODY_BYTES = 100_000;

class Rejection extends Error {
  readonly status: number;
  readonly type: string;

  constructor(type: string, status = 400) {
    super(type);
    this.type = type;
    this.status = status;
  }
}

/** Starts a server that stops with the test. */
export async function startReferenceServer(): Promise<ReferenceServer> {
  const nonces = new Set<string>();
  const accounts = new Map<string, JwkKey>();
  const bodies: string[] = [];
  let base = '';

  function check(request: IncomingMessage, body: Uint8Array): Jws & { key: JwkKey } {
    if (request.headers['content-type'] !== 'application/jose+json') throw new Rejection('malformed', 415);
    const jws = parseJws(parseStrictJson(body, MAX_BODY_BYTES));
    const { kid, jwk, nonce, url } = jws.header;
    if (url !== `${base}${request.url}`) throw new Rejection('unauthorized', 401);
    if (nonce === undefined || !nonces.delete(nonce)) throw new Rejection('badNonce');
    if (kid === undefined && jwk === undefined) throw new Rejection('malformed');
    const key = kid === undefined ? readJwk(jwk, nodeCrypto.sha256) : accounts.get(kid);
    if (key === undefined) throw new Rejection('accountDoesNotExist');
    verifyJws(jws, { key, verify: nodeCrypto.verify });
    return { ...jws, key };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const nonce = randomBytes(16).toString('base64url');
    nonces.add(nonce);
    response.setHeader('replay-nonce', nonce);
    if (request.method === 'HEAD') return void response.end();
    if (request.method === 'GET') return send(response, { status: 200, body: directory(base) });
    bodies.push(body.toString());
    const { payload, header, key } = check(request, body);
    if (request.url === '/new-account') {
      response.setHeader('location', `${base}/account/${key.thumbprint}`);
      accounts.set(`${base}/account/${key.thumbprint}`, key);
    }
    const seen: SeenRequest = {
      payload: Buffer.from(payload).toString(),
      thumbprint: key.thumbprint,
      ...(header.kid !== undefined && { kid: header.kid }),
    };
    send(response, { status: 200, body: seen });
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      const { type, status } = rejectionOf(error);
      send(response, { status, body: { type: `urn:ietf:params:acme:error:${type}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a TCP port
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { directoryUrl: `${base}/directory`, resourceUrl: `${base}/resource`, bodies };
}

function rejectionOf(error: unknown): { type: string; status: number } {
  if (error instanceof Rejection) return error;
  if (!(error instanceof JoseError)) return { type: isPkiError(error) ? error.code : 'serverInternal', status: 500 };
  switch (error.reason) {
    case 'malformed':
      return { type: 'malformed', status: 400 };
    case 'bad-algorithm':
      return { type: 'badSignatureAlgorithm', status: 400 };
    case 'bad-key':
      return { type: 'badPublicKey', status: 400 };
    case 'bad-signature':
      return { type: 'unauthorized', status: 400 };
  }
}

function send(response: ServerResponse, { status, body }: { status: number; body: object }): void {
  response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' });
  response.end(JSON.stringify(body));
}

function directory(base: string): object {
  return {
    newNonce: `${base}/new-nonce`,
    newAccount: `${base}/new-account`,
    newOrder: `${base}/new-order`,
    revokeCert: `${base}/revoke-cert`,
    keyChange: `${base}/key-change`,
  };
}
