// Serves the interface documents and pages to browse them, made by this process without anything from outside.
import { connectorOpenApi, platformOpenApi } from '@signetry/contract';
import type { FastifyInstance } from 'fastify';
import { INTERFACE_VERSION } from '../areas/info/index.ts';
import { docsPage } from './docs-page.ts';

const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const links = [
  { text: 'Platform', href: '/api/docs' },
  { text: 'Connectors', href: '/api/docs/connector' },
  { text: 'Platform document', href: '/api/openapi.json' },
  { text: 'Connector document', href: '/api/openapi-connector.json' },
  { text: 'Root certificate', href: '/root-ca.pem' },
];

export function serveDocs(server: FastifyInstance): void {
  serve(server, {
    documentPath: '/api/openapi.json',
    pagePath: '/api/docs',
    document: platformOpenApi(INTERFACE_VERSION),
    basePath: '/api',
  });
  serve(server, {
    documentPath: '/api/openapi-connector.json',
    pagePath: '/api/docs/connector',
    document: connectorOpenApi(INTERFACE_VERSION),
    basePath: '',
  });
}

interface Served {
  readonly documentPath: string;
  readonly pagePath: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly basePath: string;
}

function serve(server: FastifyInstance, { documentPath, pagePath, document, basePath }: Served): void {
  const text = JSON.stringify(document);
  server.get(documentPath, (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  server.get(pagePath, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_POLICY)
      .send(docsPage({ document, basePath, links })),
  );
}
