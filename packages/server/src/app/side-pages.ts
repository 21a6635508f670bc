// Pages for operators rather than callers: metrics and the documents of the interface. Each is served on the ordinary
// listeners, on a listener of its own, or nowhere.
import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createHttpServer } from '../platform/http/server.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { serveDocs } from './docs-pages.ts';
import { drain, listenerUrl, listenHttp, parseAddress, servedHosts, type Address } from './listeners.ts';

/** `on`: the ordinary listeners; `off`: nowhere; otherwise the address of a listener of its own. */
export type PagePlace = string;

const names = ['metrics', 'docs'] as const;
export type SidePageName = (typeof names)[number];

export interface SidePagesParts {
  readonly places: Readonly<Record<SidePageName, PagePlace>>;
  readonly metrics: Metrics;
  /** Name under which the listeners answer besides their own. */
  readonly publicUrl: string | undefined;
  /** Bounds the connections of one address, over all listeners. */
  readonly limitConnections: (server: Server) => void;
  readonly onFault: (error: Error, facts: { requestId: string; operation: string }) => void;
}

export type SidePages = ReturnType<typeof createSidePages>;

export function createSidePages({ places, metrics, publicUrl, limitConnections, onFault }: SidePagesParts) {
  const serve: Readonly<Record<SidePageName, (server: FastifyInstance) => void>> = {
    metrics: (server) => serveMetrics(server, metrics),
    docs: serveDocs,
  };
  const placedApart = Map.groupBy(
    names.filter((name) => places[name] !== 'on' && places[name] !== 'off'),
    (name) => places[name],
  );
  /** Listeners with the ports that are open. */
  const opened = new Map<PagePlace, Address>();

  async function openOne(place: PagePlace, pages: readonly SidePageName[]): Promise<FastifyInstance> {
    const address = parseAddress(place) ?? { host: place, port: 0 };
    const { isServed } = servedHosts([address], [publicUrl]);
    const server = createHttpServer({ isServedHost: isServed, trustedProxies: [], onFault });
    limitConnections(server.server);
    for (const page of pages) serve[page](server);
    opened.set(place, await listenHttp(server, address, { flag: `--${pages[0] ?? ''}` }));
    return server;
  }

  return {
    isOnOrdinaryListeners: (name: SidePageName): boolean => places[name] === 'on',
    /** The pages that have no listener of their own. */
    serve(server: FastifyInstance): void {
      for (const name of names) if (places[name] === 'on') serve[name](server);
    },
    /** Opens the listeners of those that have one; they are closed with the stack. */
    async open(stack: AsyncDisposableStack): Promise<void> {
      for (const [place, pages] of placedApart) {
        const server = await openOne(place, pages);
        stack.defer(() => drain(server.server, () => server.close()));
      }
    },
    addresses: (): readonly Address[] => [...opened.values()],
    /** URL of a page, given that of the ordinary listeners; null when the page is served nowhere. */
    urlOf(name: SidePageName, base: string): string | null {
      if (places[name] === 'off') return null;
      const own = opened.get(places[name]);
      return `${own ? listenerUrl('http', own) : base}${name === 'metrics' ? '/metrics' : '/api/docs'}`;
    },
  };
}

function serveMetrics(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', { config: { operation: 'metrics' } }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  );
}
