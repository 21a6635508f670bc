// Serves the interface documents and pages to browse them, made by this process without anything from outside: when they
// are asked for first, in a thread, since writing them takes half a second.
import type { FastifyInstance } from 'fastify';
import { createWorkerPool } from '../platform/threads/worker-pool.ts';
import type { DocsTask, WrittenDocs } from './docs-thread.ts';

const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const links = [
  { text: 'Platform', href: '/api/docs' },
  { text: 'Connectors', href: '/api/docs/connector' },
  { text: 'Platform document', href: '/api/openapi.json' },
  { text: 'Connector document', href: '/api/openapi-connector.json' },
  { text: 'Root certificate', href: '/root-ca.pem' },
];

export function serveDocs(server: FastifyInstance): void {
  const writer = createWorkerPool<DocsTask, WrittenDocs>({
    file: new URL('./docs-thread.ts', import.meta.url),
    what: 'interface documents',
    maxWorkers: 1,
    idleMs: 1_000,
  });
  server.addHook('onClose', () => writer.stop());
  const write = (side: DocsTask['side']): Promise<WrittenDocs> => writer.run({ side, links });
  serve(server, {
    documentPath: '/api/openapi.json',
    pagePath: '/api/docs',
    written: once(() => write('platform')),
  });
  serve(server, {
    documentPath: '/api/openapi-connector.json',
    pagePath: '/api/docs/connector',
    written: once(() => write('connector')),
  });
}

/** Keeps what was made; a failure is tried again by the next caller. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

interface Served {
  readonly documentPath: string;
  readonly pagePath: string;
  readonly written: () => Promise<WrittenDocs>;
}

function serve(server: FastifyInstance, { documentPath, pagePath, written }: Served): void {
  server.get(documentPath, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((await written()).document),
  );
  server.get(pagePath, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_POLICY)
      .send((await written()).page),
  );
}
