// The few pages that the platform serves without the console. They are readable without scripts, styles or other
// resources. Pages that request a passkey load our own script and nothing else.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isAppError, retryAfterOf } from '../../../kernel/errors.ts';
import { PAGE_STYLES, LOGO } from '../../../platform/http/page-style.ts';
import { SCRIPT_PATH } from './passkey-section.ts';

const STYLE = `${PAGE_STYLES}
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

/**
 * Allows only the style above, and forms that post to our own origin. A page cannot be framed, run scripts or load
 * anything else.
 */
interface AllowedContent {
  readonly hasScript?: boolean;
  readonly formTarget?: string | undefined;
}

/**
 * Returns the content security policy. Pages with a script can also load our scripts, which can call us; inline scripts
 * are never allowed.
 */
const contentPolicy = ({ hasScript = false, formTarget }: AllowedContent): string =>
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
  // URLs of these pages can contain a secret. `no-referrer` would also blank the form's Origin.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export interface Page {
  readonly status: number;
  readonly title: string;
  /** Trusted markup: constants of this area; all other text in it is escaped. */
  readonly body: string;
  /** True if the page requests a passkey. */
  readonly hasScript?: boolean;
  /** Origin that a form on the page redirects to; browsers do not follow redirects that the policy forbids. */
  readonly formTarget?: string;
}

export const insecurePage: Page = {
  status: 400,
  title: 'Sign in over HTTPS',
  body: `<p>This URL is not encrypted, so your session would be sent in clear text. Sign in at the platform's HTTPS URL, or on the platform host itself at <code>localhost</code>.</p>\n<p>If a reverse proxy terminates TLS, list it in <code>--trusted-proxies</code>.</p>`,
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
${LOGO}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
    );
}

/**
 * Returns a permitted redirect target: a path of our own. All other targets, such as `//elsewhere` or a URL with a
 * scheme, are replaced by the start page.
 */
export function ownPath(target: unknown): string {
  if (typeof target !== 'string') return '/';
  // Browsers read a backslash as a slash and drop control characters, so the path must contain neither.
  return /^\/(?![/\\])[\u0021-\u005b\u005d-\u007e]*$/.test(target) ? target : '/';
}

/** Counts the request against a limit. If the limit is exceeded, sends the page; otherwise, returns undefined. */
export async function rejectBeyondLimit(
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
