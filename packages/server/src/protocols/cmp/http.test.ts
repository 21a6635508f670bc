import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coreActor } from '../../kernel/actor.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { cmpHttp } from './http.ts';
import type { CmpRejection } from './rejection.ts';

const TYPE = 'application/pkixcmp';
const MIB = 1024 * 1024;
const BASE = '/api/v1/protocols/cmp';

interface ServedMessage {
  readonly place: { readonly family: string; readonly name: string };
  readonly octets: string;
  readonly context: RequestContext;
}

let server: ReturnType<typeof createHttpServer>;
let served: ServedMessage[];
let refused: CmpRejection[];

beforeEach(() => {
  [served, refused] = [[], []];
  server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault: () => undefined });
  cmpHttp({
    serve: async ({ place, der }, context) => {
      served.push({ place, octets: Buffer.from(der.subarray(0, 40)).toString(), context });
      return Buffer.from('the answer');
    },
    refuse: async (refusal) => {
      refused.push(refusal);
      return Buffer.from('the refusal');
    },
    actor: async () => coreActor,
  })(server);
});
afterEach(() => server.close());

const post = (url: string, body: Buffer | string = 'the message', type: string = TYPE) =>
  server.inject({ method: 'POST', url, headers: { 'content-type': type, 'user-agent': 'a device' }, payload: body });

describe('a posted message', () => {
  it.each([
    [`${BASE}/factory`, 'profile', 'factory'],
    [`${BASE}/raProfile/devices`, 'raProfile', 'devices'],
    [`${BASE}/raProfile/a%20b`, 'raProfile', 'a b'],
    [`${BASE}/a%2Fb`, 'profile', 'a/b'],
    ['/.well-known/cmp/p/factory', 'profile', 'factory'],
    ['/.well-known/cmp/p/factory/initialization', 'profile', 'factory'],
  ])('to %s is served under %s %s', async (url, family, name) => {
    const answer = await post(url);
    expect(served.map(({ place, octets }) => [place, octets])).toEqual([[{ family, name }, 'the message']]);
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control'], answer.body]).toEqual([
      200,
      TYPE,
      'no-store',
      'the answer',
    ]);
  });

  it('is processed as the system user, with the details of its HTTP request', async () => {
    await post(`${BASE}/factory`);
    expect(served[0]?.context).toMatchObject({
      actor: coreActor,
      audit: undefined,
      source: { method: 'POST', path: `${BASE}/factory`, contentType: TYPE, userAgent: 'a device' },
    });
    expect(served[0]?.context.signal.aborted).toBe(false);
  });

  it('can be empty; the CMP server then rejects it', async () => {
    expect((await server.inject({ method: 'POST', url: `${BASE}/factory` })).statusCode).toBe(200);
    expect(served.map(({ octets }) => octets)).toEqual(['']);
  });

  it.each([
    ['as long as allowed', Buffer.alloc(MIB), TYPE, 200],
    ['too long', Buffer.alloc(MIB + 1), TYPE, 413],
    ['of JSON', '{}', 'application/json', 415],
    ['of another protocol', 'x', 'application/pkcs10', 415],
    ['of text', 'x', 'text/plain', 415],
  ] as const)('that is %s results in the corresponding HTTP status', async (_what, body, type, status) => {
    const answer = await post(`${BASE}/factory`, body, type);
    expect([answer.statusCode, served.length]).toEqual([status, status === 200 ? 1 : 0]);
    if (status === 415) expect(answer.body).toContain('send uncompressed application/pkixcmp');
  });
});

describe('a request without a CMP message or profile', () => {
  it.each([[`${BASE}/factory`], [`${BASE}/raProfile/devices`]])(
    'can be a GET of %s, which receives a CMP error',
    async (url) => {
      const answer = await server.inject({ method: 'GET', url });
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, TYPE, 'the refusal']);
      expect(refused).toMatchObject([
        { failure: 'badRequest', message: 'CMP messages must be sent with POST (RFC 9811).' },
      ]);
      expect(served).toEqual([]);
    },
  );

  it.each([['/.well-known/cmp'], ['/.well-known/cmp/initialization']])(
    'can be a message to %s, which does not name a profile',
    async (url) => {
      expect((await post(url)).body).toBe('the refusal');
      expect(refused).toMatchObject([
        { failure: 'badRequest', message: 'Specify the CMP profile in the URL: /.well-known/cmp/p/NAME.' },
      ]);
      expect(served).toEqual([]);
    },
  );
});
