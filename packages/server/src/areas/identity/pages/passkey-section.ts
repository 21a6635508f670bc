// The part of a page that asks the browser for a passkey. It is there for the script of these pages, which shows it
// where the browser can do it; where it cannot, and without script, the page says so.
import type { FastifyRequest } from 'fastify';
import { relyingPartyAt, type RelyingPartyVerdict } from '../credentials/relying-party.ts';
import { originOf } from '../gatekeeper/network.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';

/** Where the script is served, and the endpoints that it calls when somebody signs in. */
export const SCRIPT_PATH = '/sign-in/passkeys.js';
export const SIGN_IN_PATH = '/sign-in/passkey';

export const partyOf = (request: FastifyRequest, publicUrl: string): RelyingPartyVerdict =>
  relyingPartyAt(originOf(request), publicUrl);

const UNSUPPORTED =
  '<p data-unsupported>This browser cannot use passkeys, or does not run scripts. Use a current browser with scripts on.</p>';

const ALERT = '<p role="alert" hidden></p>';

export const signInSection = `<div data-passkey="get" data-path="${SIGN_IN_PATH}">
${UNSUPPORTED}
<form hidden><button type="submit" autofocus>Sign in with a passkey</button>${ALERT}</form>
</div>`;

export const registerSection = (path: string): string => `<div data-passkey="create" data-path="${escapeHtml(path)}">
${UNSUPPORTED}
<form hidden><label>Name of the passkey <input name="name" value="This device" maxlength="100" required></label>
<button type="submit" autofocus>Create a passkey and sign in</button>${ALERT}</form>
</div>`;

/** Where passkeys do not work at this address. */
export function elsewhereSection(verdict: { readonly instead: string | undefined }, path: string): string {
  const reason =
    'Browsers bind passkeys to a host name over HTTPS, or to <code>localhost</code>, and never to an IP address.';
  if (verdict.instead === undefined)
    return `<p>Passkeys cannot be used at this address. ${reason} An administrator can set the public URL of the platform (<code>--public-url</code>).</p>`;
  const url = escapeHtml(verdict.instead + path);
  return `<p>Passkeys cannot be used at this address. ${reason} <a href="${url}">Open this page at ${escapeHtml(verdict.instead)}</a>.</p>`;
}
