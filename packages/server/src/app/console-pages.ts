// Serves the console at `/`: the console page to browsers on every path that nothing else serves, and its files from
// memory. The page's content security policy allows no other origins and no inline scripts. Styles that the console
// creates carry the page's nonce.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import type { ConsoleBuild } from './console-build.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const compress = promisify(gzip);
const expand = promisify(gunzip);

const ASSETS = '/console/';
const NONCE_MARK = '%STYLE_NONCE%';
const A_YEAR = 'public, max-age=31536000, immutable';

interface Asset {
  readonly type: string;
  readonly gzipped: Buffer;
}

interface LoadedConsole {
  readonly page: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Paths of the API and of well-known downloads, where the console has no pages. */
const ELSEWHERE = /^\/(?:api|crl|ocsp|ca|metrics|health)(?:\/|$)/;

export interface ConsolePages {
  /** Serves the console page for any path. */
  readonly page: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  readonly serve: (server: FastifyInstance) => void;
}

/** `linksDocs` states whether the API documents are served on the same listeners. */
export function createConsolePages(build: ConsoleBuild, { linksDocs }: { readonly linksDocs: boolean }): ConsolePages {
  let loading: Promise<LoadedConsole> | undefined;
  // The build is loaded immediately, because a second platform in the same clone may replace it with a newer one.
  void build.ended.then(loadOnce).catch(() => undefined); // Failures are reported to callers that request the page.

  /** Returns undefined if there is no build yet. A failed load is retried. */
  function loadOnce(): Promise<LoadedConsole> | undefined {
    const state = build.state();
    if (state.status !== 'ready') return undefined;
    loading ??= load(state.directory).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function requireConsole(reply: FastifyReply): Promise<LoadedConsole | FastifyReply> {
    const state = build.state();
    return (
      (await loadOnce()) ??
      waitingPage(reply, { problem: state.status === 'failed' ? state.problem : undefined, linksDocs })
    );
  }

  const servePage: ConsolePages['page'] = async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (ELSEWHERE.test(path)) throw new AppError('route_not_found', { method: 'GET', path });
    const loaded = await requireConsole(reply);
    if (!('page' in loaded)) return loaded;
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': contentPolicy(nonce),
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-cache',
      })
      .send(loaded.page.replace(NONCE_MARK, nonce));
  };
  function serve(server: FastifyInstance): void {
    server.get('/', { config: { operation: 'console' } }, servePage);
    server.get(`${ASSETS}*`, { config: { operation: 'consoleFile' } }, async (request, reply) => {
      const loaded = await requireConsole(reply);
      if (!('assets' in loaded)) return loaded;
      const name = (request.params as { readonly '*': string })['*']; // The wildcard matches the rest of the path.
      const asset = loaded.assets.get(name);
      if (!asset) throw new AppError('route_not_found', { method: 'GET', path: `${ASSETS}${name}` });
      return sendAsset(request, reply, asset);
    });
    for (const path of ['/administrator', '/administrator/'])
      server.get(path, (_request, reply) => reply.redirect('/'));
  }

  return { page: servePage, serve };
}

const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Needed for computed positions and sizes. These styles cannot be used to inject text.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

async function load(directory: string): Promise<LoadedConsole> {
  const folder = join(directory, 'console');
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    assets.set(name, { type, gzipped: await compress(bytes, { level: 9 }) });
  }
  return { page: await readFile(join(directory, 'index.html'), 'utf8'), assets };
}

/**
 * Sends a file whose name contains a content hash. The file is decompressed for the few clients that do not accept
 * gzip.
 */
async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, gzipped }: Asset,
): Promise<FastifyReply> {
  void reply.type(type).headers({ 'cache-control': A_YEAR, vary: 'accept-encoding' });
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(await expand(gzipped));
}

/** Shown on a clone's first start, while the console is being built and everything else already works. */
function waitingPage(
  reply: FastifyReply,
  { problem, linksDocs }: { readonly problem: string | undefined; readonly linksDocs: boolean },
): FastifyReply {
  const [title, text] =
    problem === undefined
      ? ['Preparing the console', 'This takes a few seconds on the first start. The page opens automatically.']
      : ['Cannot build the console', "See the platform's log for the reason. The API and the command line work."];
  return reply
    .status(503)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8">${problem === undefined ? '<meta http-equiv="refresh" content="1">' : ''}<meta name="color-scheme" content="light dark"><title>Signetry</title></head><body><h1>${title}</h1><p>${text}</p>${linksDocs ? '<p><a href="/api/docs">API documentation</a></p>' : ''}</body></html>`,
    );
}
