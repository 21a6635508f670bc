// The few pages that the platform serves without the console: readable without script, style or any other resource. The
// script of those that ask for a passkey is ours and is the only thing that they load.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isAppError, retryAfterOf } from '../../../kernel/errors.ts';
import { LOOK, MARK } from '../../../platform/http/page-look.ts';
import { SCRIPT_PATH } from './passkey-section.ts';

const STYLE = `${LOOK}
body { min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1rem; box-sizing: border-box; }
main { box-sizing: border-box; width: min(30rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); overflow-wrap: anywhere; }
.mark { display: block; width: 44px; height: 44px; margin-bottom: 1.25rem; }
h1 { margin-bottom: 0.75rem; }
p { margin: 0 0 0.75rem; color: var(--ink-soft); }
form { margin-top: 1.25rem; }
[data-passkey] + p { margin-top: 1.25rem; }
code { padding: 0.1rem 0.35rem; border-radius: 0.3rem; background: var(--surface-raised); color: var(--ink); }
label { display: block; margin-bottom: 1rem; color: var(--ink); font-weight: 600; }
input { display: block; box-sizing: border-box; width: 100%; margin-top: 0.25rem; min-height: 2.25rem; padding: 0 0.6rem; font: inherit; font-weight: 400; color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: 0.5rem; }
[role="alert"] { margin: 1rem 0 0; color: var(--ink); font-weight: 600; }
[hidden] { display: none; }
button:disabled { opacity: 0.6; cursor: default; }
button, .button { font: inherit; font-weight: 600; min-height: 2.25rem; padding: 0 1.25rem; border: 0; border-radius: 0.5rem; background: var(--filled); color: #fff; cursor: pointer; }
button:hover, .button:hover { background: var(--filled-hover); }
.button { display: inline-flex; align-items: center; text-decoration: none; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but the style above and forms to ourselves: a page cannot be framed, scripted or made to load anything. */
interface Allowed {
  readonly hasScript?: boolean;
  readonly formTarget?: string | undefined;
}

/** Besides, scripts that we serve and their calls to us where a page has them; nothing inline. */
const contentPolicy = ({ hasScript = false, formTarget }: Allowed): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
  ].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  // Addresses of these pages may hold a secret. `no-referrer` would blank the Origin of the form as well.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export interface Page {
  readonly status: number;
  readonly title: string;
  /** Trusted markup: constants of this area; other texts in it are escaped. */
  readonly body: string;
  /** Asks for a passkey. */
  readonly hasScript?: boolean;
  /** Origin that the answer to a form of the page leads to: browsers follow no redirect that the policy forbids. */
  readonly formTarget?: string;
}

export const insecurePage: Page = {
  status: 400,
  title: 'Sign in over HTTPS',
  body: `<p>This address is not encrypted, so a session would travel in clear. Sign in under the HTTPS address of the platform, or on the machine itself under <code>localhost</code>.</p>
<p>If a reverse proxy does encrypt it, name the proxy in <code>--trusted-proxies</code>.</p>`,
};

export function sendPage(reply: FastifyReply, { status, title, body, ...allowed }: Page): FastifyReply {
  return reply
    .status(status)
    .headers(HEADERS)
    .header('content-security-policy', contentPolicy(allowed))
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Signetry</title>
<style>${STYLE}</style>${allowed.hasScript ? `\n<script src="${SCRIPT_PATH}" defer></script>` : ''}
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

/** Takes from a limit; what the limit refuses is answered with the page. Answers nothing where there was room. */
export async function refuseBeyond(
  reply: FastifyReply,
  { page, countRequest }: { readonly page: Page; readonly countRequest: () => Promise<unknown> },
): Promise<FastifyReply | undefined> {
  try {
    await countRequest();
    return undefined;
  } catch (error) {
    if (!isAppError(error, 'too_many_requests')) throw error;
    return sendPage(reply.header('retry-after', retryAfterOf(error)), page);
  }
}
