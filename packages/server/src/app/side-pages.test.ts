import { once } from 'node:events';
import { BlockList, connect, type AddressInfo, type Server } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { createConnectionLimit } from '../platform/http/connection-limit.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createSidePages } from './side-pages.ts';

const DOCUMENTS = ['/api/docs', '/api/docs/connector', '/api/openapi.json', '/api/openapi-connector.json'];
const metrics = createMetrics();
const stack = new AsyncDisposableStack();
stack.defer(() => void metrics.stop());
afterAll(() => stack.disposeAsync());

const onFault = (error: Error): never => {
  throw error;
};

/** Starts an ordinary listener that serves the pages configured as `on`, and side listeners for the others. */
async function serve(
  places: { readonly metrics: string; readonly docs: string },
  limitConnections: (server: Server) => void = () => undefined,
) {
  const pages = createSidePages({ places, metrics, publicUrl: undefined, limitConnections, onFault });
  const server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault });
  pages.serve(server, async ({ headers }) => {
    if (headers.authorization === undefined) throw new AppError('unauthenticated', { reason: 'there is no token' });
  });
  server.get('/api/v1/groups', () => []);
  await server.listen({ host: '127.0.0.1', port: 0 });
  stack.defer(() => server.close());
  await pages.open(stack);
  const { port } = server.server.address() as AddressInfo; // The server listens on TCP.
  return { pages, base: `http://127.0.0.1:${port}` };
}

async function expectAt(base: string, paths: readonly string[], status: number): Promise<void> {
  for (const path of paths) expect((await fetch(`${base}${path}`)).status, path).toBe(status);
}

describe('metrics and interface documents', () => {
  it('can be served on the ordinary listeners', async () => {
    const { pages, base } = await serve({ metrics: 'on', docs: 'on' });
    await expectAt(base, ['/metrics', ...DOCUMENTS], 200);
    expect(pages.urlOf('metrics', base)).toBe(`${base}/metrics`);
    expect(pages.addresses()).toEqual([]);
    expect(pages.metricsAccess()).toBe('everybody');
  });

  it('are served on the ordinary listeners, with a permission check if metrics require a token', async () => {
    const { pages, base } = await serve({ metrics: 'token', docs: 'on' });
    await expectAt(base, ['/metrics'], 401);
    await expectAt(base, DOCUMENTS, 200);
    const headers = { authorization: 'Bearer x' };
    expect((await fetch(`${base}/metrics`, { headers })).status).toBe(200);
    expect([pages.metricsAccess(), pages.urlOf('metrics', base)]).toEqual(['token', `${base}/metrics`]);
  });

  it('can be served on a separate listener, which serves nothing else and accepts only its own host names', async () => {
    const { pages, base } = await serve({ metrics: '127.0.0.1:0', docs: '127.0.0.1:0' });
    await expectAt(base, ['/metrics', ...DOCUMENTS], 404);
    const own = pages.urlOf('metrics', base)?.replace('/metrics', '') ?? '';
    expect(own).not.toBe(base);
    expect(pages.urlOf('docs', base)).toBe(`${own}/api/docs`);
    expect(pages.metricsAccess()).toBe('listener');
    expect(pages.addresses()).toEqual([{ host: '127.0.0.1', port: Number(new URL(own).port) }]);
    await expectAt(own, ['/metrics', ...DOCUMENTS], 200);
    await expectAt(own, ['/', '/api/v1/groups', '/login'], 404);
    expect((await fetch(`${own}/metrics`)).headers.get('cache-control')).toBe('no-store');
  });

  it('are also subject to the connection limit per address on the separate listener', async () => {
    let refused = 0;
    const onRejected = (): void => void (refused += 1);
    const limit = createConnectionLimit({ max: 2, exempt: new BlockList(), onRejected });
    const { pages } = await serve({ metrics: '127.0.0.1:0', docs: 'off' }, limit);
    const [address] = pages.addresses();
    const open = async () => {
      const socket = connect({ host: '127.0.0.1', port: address?.port ?? 0 });
      stack.defer(() => void socket.destroy());
      await once(socket, 'connect');
      return socket;
    };
    await open();
    await open();
    const third = await open();
    await once(third.resume(), 'close');
    expect(refused).toBe(1);
  });

  it('can be turned off independently of each other', async () => {
    const { pages, base } = await serve({ metrics: 'on', docs: 'off' });
    await expectAt(base, DOCUMENTS, 404);
    await expectAt(base, ['/metrics'], 200);
    expect(pages.urlOf('docs', base)).toBeNull();
  });
});
