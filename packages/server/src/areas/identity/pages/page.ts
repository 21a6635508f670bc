// The few pages that the platform serves without the console: readable without script, style or any other resource.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { LOOK, MARK } from '../../../platform/http/page-look.ts';

const STYLE = `${LOOK}
body { min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1rem; box-sizing: border-box; }
main { box-sizing: border-box; width: min(30rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); overflow-wrap: anywhere; }
.mark { display: block; width: 44px; height: 44px; margin-bottom: 1.25rem; }
h1 { margin-bottom: 0.75rem; }
p { margin: 0 0 0.75rem; color: var(--ink-soft); }
form { margin-top: 1.25rem; }
code { padding: 0.1rem 0.35rem; border-radius: 0.3rem; background: var(--surface-raised); color: var(--ink); }
button { font: inherit; font-weight: 600; min-height: 2.25rem; padding: 0 1.25rem; border: 0; border-radius: 0.5rem; background: var(--filled); color: #fff; cursor: pointer; }
button:hover { background: var(--filled-hover); }
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
${MARK}
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
