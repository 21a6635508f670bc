// Pages for operators: metrics and the API documents. Each page is served on the ordinary listeners, on a separate
// listener, or nowhere. On the ordinary listeners, metrics require a token unless access to them is open.
import type { Server } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHttpServer } from '../platform/http/server.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { serveDocs } from './docs-pages.ts';
import { drain, listenerUrl, listenHttp, parseAddress, servedHosts, type ListenAddress } from './listeners.ts';

/**
 * `on`: the ordinary listeners, without authentication; `token`: the ordinary listeners, for callers with the
 * permission; `off`: nowhere; otherwise the address of a separate listener.
 */
export type PageLocation = string;

/**
 * Audience of the metrics: callers with the permission, all callers, or all callers that can reach the separate
 * listener.
 */
export type MetricsAccess = 'token' | 'everybody' | 'listener' | 'off';

/** Rejects callers without permission to read a page. */
type Authorize = (request: FastifyRequest) => Promise<void>;

const ORDINARY: readonly PageLocation[] = ['on', 'token'];

const names = ['metrics', 'docs'] as const;
export type SidePageName = (typeof names)[number];

export interface SidePagesParts {
  readonly places: Readonly<Record<SidePageName, PageLocation>>;
  readonly metrics: Metrics;
  /** URL whose host the separate listeners also accept. */
  readonly publicUrl: string | undefined;
  /** Limits connections per client address, across all listeners. */
  readonly limitConnections: (server: Server) => void;
  readonly onFault: (error: Error, facts: { requestId: string; operation: string }) => void;
}

export type SidePages = ReturnType<typeof createSidePages>;

export function createSidePages({ places, metrics, publicUrl, limitConnections, onFault }: SidePagesParts) {
  const serve: Readonly<Record<SidePageName, (server: FastifyInstance, authorize: Authorize) => void>> = {
    metrics: (server, authorize) => serveMetrics(server, metrics, authorize),
    docs: serveDocs,
  };
  const placedApart = Map.groupBy(
    names.filter((name) => places[name] !== 'off' && !ORDINARY.includes(places[name])),
    (name) => places[name],
  );
  /** Listeners with their actual ports. */
  const opened = new Map<PageLocation, ListenAddress>();

  async function openPages(place: PageLocation, pages: readonly SidePageName[]): Promise<FastifyInstance> {
    const address = parseAddress(place) ?? { host: place, port: 0 };
    const { isServed } = servedHosts([address], [publicUrl]);
    const server = createHttpServer({ isServedHost: isServed, trustedProxies: [], onFault });
    limitConnections(server.server);
    for (const page of pages) serve[page](server, allowAll);
    opened.set(place, await listenHttp(server, address, { flag: `--${pages[0] ?? ''}` }));
    return server;
  }

  return {
    isOnOrdinaryListeners: (name: SidePageName): boolean => ORDINARY.includes(places[name]),
    /**
     * Serves the pages that have no separate listener. `authorize` checks callers of pages that are not open to all.
     */
    serve(server: FastifyInstance, authorize: Authorize): void {
      for (const name of names)
        if (ORDINARY.includes(places[name])) serve[name](server, places[name] === 'token' ? authorize : allowAll);
    },
    metricsAccess(): MetricsAccess {
      const { metrics: place } = places;
      if (place === 'on') return 'everybody';
      return place === 'token' || place === 'off' ? place : 'listener';
    },
    /** Opens the separate listeners, which are closed together with the stack. */
    async open(stack: AsyncDisposableStack): Promise<void> {
      for (const [place, pages] of placedApart) {
        const server = await openPages(place, pages);
        stack.defer(() => drain(server.server, () => server.close()));
      }
    },
    addresses: (): readonly ListenAddress[] => [...opened.values()],
    /** Returns the URL of a page, based on the URL of the ordinary listeners; null if the page is not served. */
    urlOf(name: SidePageName, base: string): string | null {
      if (places[name] === 'off') return null;
      const own = opened.get(places[name]);
      return `${own ? listenerUrl('http', own) : base}${name === 'metrics' ? '/metrics' : '/api/docs'}`;
    },
  };
}

const allowAll: Authorize = () => Promise.resolve();

function serveMetrics(server: FastifyInstance, { registry }: Metrics, authorize: Authorize): void {
  server.get('/metrics', { config: { operation: 'metrics' }, onRequest: authorize }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  );
}
