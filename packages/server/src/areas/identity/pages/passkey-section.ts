// Page section that requests a passkey from the browser. The script of these pages shows it if the browser supports
// passkeys; otherwise, or without scripts, the page displays a message instead.
import type { FastifyRequest } from 'fastify';
import { relyingPartyAt, type RelyingPartyVerdict } from '../credentials/relying-party.ts';
import { originOf } from '../gatekeeper/network.ts';
import { escapeHtml } from '../../../platform/http/escape-html.ts';

/** Paths of the script and of the endpoints that it calls for sign-in. */
export const SCRIPT_PATH = '/sign-in/passkeys.js';
export const SIGN_IN_PATH = '/sign-in/passkey';

export const partyOf = (request: FastifyRequest, publicUrl: string): RelyingPartyVerdict =>
  relyingPartyAt(originOf(request), publicUrl);

const UNSUPPORTED =
  '<p data-unsupported>This browser does not support passkeys or does not run scripts. Use a current browser with scripts enabled.</p>';

const ALERT = '<p role="alert" hidden></p>';

export const signInSection = `<div data-passkey="get" data-path="${SIGN_IN_PATH}">
${UNSUPPORTED}
<form hidden><button type="submit" autofocus>Sign in with a passkey</button>${ALERT}</form>
</div>`;

export const registerSection = (path: string): string =>
  `<div data-passkey="create" data-path="${escapeHtml(path)}">\n${UNSUPPORTED}\n<form hidden><label>Passkey name <input name="name" value="This device" maxlength="100" required></label>\n<button type="submit" autofocus>Create a passkey and sign in</button>${ALERT}</form>\n</div>`;

/** Returns the section for a URL at which passkeys do not work. */
export function unusableSection(verdict: { readonly instead: string | undefined }, path: string): string {
  const reason =
    'Browsers bind passkeys to a host name over HTTPS, or to <code>localhost</code>, and never to an IP address.';
  if (verdict.instead === undefined)
    return `<p>Passkeys cannot be used at this URL. ${reason} An administrator can set the public URL of the platform (<code>--public-url</code>).</p>`;
  const url = escapeHtml(verdict.instead + path);
  return `<p>Passkeys cannot be used at this URL. ${reason} <a href="${url}">Open this page at ${escapeHtml(verdict.instead)}</a>.</p>`;
}
