// The few pages that the platform serves without the console: readable without script, style or any other resource.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(34rem, 100vw); padding: 2rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 1rem; }
code { font: 0.95em/1.4 ui-monospace, monospace; padding: 0.1rem 0.35rem; border-radius: 0.25rem; background: color-mix(in srgb, CanvasText 10%, Canvas); }
button { font: inherit; font-weight: 600; padding: 0.6rem 1.4rem; border: 0; border-radius: 0.4rem; background: #0b57b7; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #7ab0f5; outline-offset: 2px; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but the style above and forms to ourselves: a page cannot be framed, scripted or made to load anything. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  // Addresses of these pages may hold a secret. `no-referrer` would blank the Origin of the form as well.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export interface Page {
  readonly status: number;
  readonly title: string;
  /** Trusted markup: constants of this area, never a text that came with a request. */
  readonly body: string;
}

export function sendPage(reply: FastifyReply, { status, title, body }: Page): FastifyReply {
  return reply
    .status(status)
    .headers(HEADERS)
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Signetry</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
    );
}

/**
 * Where a redirect may lead: a path of our own. Everything else, such as `//elsewhere` or a scheme, leads to the start.
 */
export function ownPath(target: unknown): string {
  if (typeof target !== 'string') return '/';
  // Browsers read a backslash as a slash and drop control characters, so neither may stand in the path.
  return /^\/(?![/\\])[\u0021-\u005b\u005d-\u007e]*$/.test(target) ? target : '/';
}
