// The interface documents and a page to browse them, made by this process without anything from outside.
import { platformOpenApi, connectorOpenApi, platformOperations, type Operation } from '@signetry/contract';
import type { FastifyInstance } from 'fastify';
import { INTERFACE_VERSION } from '../areas/info/index.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#d9dde3, #333a44); --soft: light-dark(#5b6570, #9aa5b1); --page: light-dark(#fff, #14181d); --mark: light-dark(#0b57d0, #8ab4f8); }
  body { font: 15px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 6rem; background: var(--page); }
  h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem; } p { color: var(--soft); margin: .25rem 0 1rem; }
  a { color: var(--mark); } table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid var(--line); padding: .4rem .6rem .4rem 0; vertical-align: top; }
  td:first-child { width: 4.5rem; font-weight: 600; } td:nth-child(2) { width: 52%; overflow-wrap: anywhere; } code { font: 13px ui-monospace, monospace; } nav a { margin-right: 1rem; }`;

/** Serves `/api/openapi.json`, `/api/openapi-connector.json` and `/api/docs`. */
export function serveDocs(server: FastifyInstance): void {
  const platformDocument = JSON.stringify(platformOpenApi(INTERFACE_VERSION));
  const connectorDocument = JSON.stringify(connectorOpenApi(INTERFACE_VERSION));
  const page = docsPage(Object.values(platformOperations));
  server.get('/api/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(platformDocument),
  );
  server.get('/api/openapi-connector.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(connectorDocument),
  );
  server.get('/api/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page),
  );
  for (const path of ['/', '/administrator', '/administrator/'])
    server.get(path, (_request, reply) => reply.redirect('/api/docs'));
}

function docsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((op) => op.tag))].sort();
  const sections = tags.map((tag) => {
    const rows = operations
      .filter((op) => op.tag === tag)
      .map(
        (op) =>
          `<tr><td>${op.method}</td><td><code>/api${escapeHtml(op.path)}</code></td><td>${escapeHtml(op.summary)}</td></tr>`,
      );
    return `<h2>${escapeHtml(tag)}</h2><table>${rows.join('')}</table>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Signetry interface</title><style>${STYLE}</style></head><body>
<h1>Signetry interface ${INTERFACE_VERSION}</h1>
<p>Every operation of the management interface. The documents hold parameters, bodies and answers in full; any OpenAPI 3.1 tool reads them.</p>
<nav><a href="/api/openapi.json">Platform document</a><a href="/api/openapi-connector.json">Connector document</a><a href="/root-ca.pem">Root certificate</a></nav>
${sections.join('\n')}</body></html>`;
}
