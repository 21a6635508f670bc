// HTTP requests to the server: both URL families, and messages sent by GET and POST.
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { scepHttp } from './http.ts';
import type { ScepRequest } from './server.ts';

const BASE = '/api/v1/protocols/scep';

async function start() {
  const server = Fastify();
  onTestFinished(() => server.close());
  const served: (ScepRequest & { readonly context: RequestContext })[] = [];
  scepHttp({
    serve: async (request, context) => {
      served.push({ ...request, context });
      return { media: 'application/x-pki-message', body: Buffer.from('answer') };
    },
    actor: async () => coreActor,
  })(server);
  const refusals: unknown[] = [];
  server.setErrorHandler((error, _request, reply) => {
    refusals.push(error);
    return reply.status(isAppError(error) ? 400 : 413).send();
  });
  await server.ready();
  const listServed = () =>
    served.map(({ context: _context, message, ...rest }) => ({
      ...rest,
      message: Buffer.from(message).toString('hex'),
    }));
  return { server, served, asked: listServed, refusals };
}

describe('a request', () => {
  it.each([
    ['profile', 'routers', `${BASE}/routers/pkiclient.exe`],
    ['raProfile', 'devices', `${BASE}/raProfile/devices/pkiclient.exe`],
    ['profile', 'ü?', `${BASE}/%C3%BC%3F/pkiclient.exe`],
    ['profile', 'routers', `${BASE}/routers`],
    ['profile', 'routers', `${BASE}/routers/`],
    ['profile', 'routers', `${BASE}/routers/mscep.dll`],
    ['profile', 'routers', `${BASE}/routers/PKIClient.exe`],
    ['profile', 'routers', `${BASE}/routers/cgi-bin/pkiclient.exe`],
    ['profile', 'routers', `${BASE}/routers/pkiclient.exe/pkiclient.exe`],
    ['profile', 'a/b%', `${BASE}/a%2Fb%25/scep`],
    ['profile', 'raProfiles', `${BASE}/raProfiles/scep`],
    ['raProfile', 'devices', `${BASE}/raProfile/devices`],
    ['raProfile', 'devices', `${BASE}/raProfile/devices/`],
    ['raProfile', 'devices', `${BASE}/raProfile/devices/scep`],
    ['raProfile', 'devices', `${BASE}/raProfile/devices/cgi-bin/pkiclient.exe`],
    ['raProfile', 'ü?', `${BASE}/raProfile/%C3%BC%3F`],
  ])('has the family %s and the name %s', async (family, name, path) => {
    const { server, asked } = await start();
    const response = await server.inject({ url: `${path}?operation=GetCACaps&message=routers` });
    expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
      200,
      'application/x-pki-message',
      'no-store',
    ]);
    expect(response.body).toBe('answer');
    expect(asked()).toEqual([{ family, name, operation: 'GetCACaps', message: '' }]);
  });

  it('has an empty operation if it specifies no operation or more than one', async () => {
    const { server, asked } = await start();
    await server.inject({ url: `${BASE}/routers/pkiclient.exe` });
    await server.inject({ url: `${BASE}/routers/pkiclient.exe?operation=GetCACert&operation=GetCACaps` });
    expect(asked().map(({ operation }) => operation)).toEqual(['', '']);
  });

  it('can be sent with POST to any path after the name', async () => {
    const { server, asked } = await start();
    const url = `${BASE}/raProfile/devices/scep?operation=PKIOperation`;
    await server.inject({ method: 'POST', url, headers: { 'content-type': 'x/y' }, payload: Buffer.of(1, 2) });
    expect(asked()).toEqual([{ family: 'raProfile', name: 'devices', operation: 'PKIOperation', message: '0102' }]);
  });

  it('with invalid percent-encoding is rejected', async () => {
    const { server, asked } = await start();
    expect((await server.inject({ url: `${BASE}/routers/%zz?operation=GetCACaps` })).statusCode).toBe(400);
    expect(asked()).toEqual([]);
  });

  it('runs as the system user, and its path is recorded without the message', async () => {
    const { server, served } = await start();
    await server.inject({ url: `${BASE}/routers/pkiclient.exe?operation=PKIOperation&message=AQID` });
    expect(served[0]?.context).toMatchObject({
      actor: coreActor,
      audit: undefined,
      source: { method: 'GET', path: `${BASE}/routers/pkiclient.exe`, ipAddress: '127.0.0.1' },
    });
  });
});

describe('a message in the body', () => {
  it.each(['application/x-pki-message', 'application/octet-stream', 'text/plain', 'application/json', 'x/y; z=1'])(
    'is accepted unchanged as %s',
    async (type) => {
      const { server, asked } = await start();
      await server.inject({
        method: 'POST',
        url: `${BASE}/routers/pkiclient.exe?operation=PKIOperation&message=AQID`,
        headers: { 'content-type': type },
        payload: Buffer.from('{"fe'),
      });
      expect(asked()).toMatchObject([{ operation: 'PKIOperation', message: Buffer.from('{"fe').toString('hex') }]);
    },
  );

  it('is limited to 256 KiB', async () => {
    const { server, asked } = await start();
    const post = (length: number) =>
      server.inject({
        method: 'POST',
        url: `${BASE}/routers/pkiclient.exe`,
        headers: { 'content-type': 'x/y' },
        payload: Buffer.alloc(length),
      });
    expect([(await post(256 * 1024)).statusCode, (await post(256 * 1024 + 1)).statusCode]).toEqual([200, 413]);
    expect(asked()).toHaveLength(1);
  });
});

describe('a message in the query', () => {
  const get = async (query: string) => {
    const { server, asked, refusals } = await start();
    await server.inject({ url: `${BASE}/routers/pkiclient.exe?${query}` });
    const [messages, problems] = [asked().map(({ message }) => message), asked().map(({ problem }) => problem)];
    return { messages, problems, refusals };
  };

  it.each([
    ['Base64', 'AQID', '010203'],
    ['Base64 with escaped signs', '%2B%2F%2B%2FAQ%3D%3D', 'fbffbf01'],
    ['Base64 whose plus signs are not escaped', '++//', 'fbefff'],
    ['Base64 in lines', 'AQ%0D%0AID%0A', '010203'],
    ['Base64 without padding', 'AQ', '01'],
  ])('is read from %s', async (_what, text, message) => {
    expect((await get(`operation=PKIOperation&message=${text}`)).messages).toEqual([message]);
  });

  it.each([
    ['missing', ''],
    ['empty', '&message='],
    ['not Base64', '&message=%25%25'],
    ['URL-safe Base64', '&message=-_-_'],
    ['padded too much', '&message=AQ====='],
    ['padded within', '&message=AQ==AQ=='],
    ['given twice', '&message=AQID&message=AQID'],
  ])('is unreadable if it is %s', async (_what, rest) => {
    const { messages, problems } = await get(`operation=PKIOperation${rest}`);
    expect([messages, problems]).toEqual([[''], ['The query parameter message is not Base64.']]);
  });

  it.each(['GetCACert', 'GetCACaps', 'GetNextCACert'])('is ignored for %s', async (operation) => {
    const { messages, problems } = await get(`operation=${operation}&message=%25%25`);
    expect([messages, problems]).toEqual([[''], [undefined]]);
  });
});
