// The host that passkeys are bound to (the WebAuthn relying party). Browsers bind passkeys to a host name over HTTPS,
// or to `localhost`, but never to an IP address or to a name that is not the platform's own. Pure.
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../../platform/net/loopback.ts';

export interface RelyingParty {
  /** Required origin of the page that requests the passkey. */
  readonly origin: string;
  readonly host: string;
}

export type RelyingPartyVerdict =
  | ({ readonly kind: 'usable' } & RelyingParty)
  /** Passkeys do not work at this URL; `instead` is a URL at which they do, if there is one. */
  | { readonly kind: 'elsewhere'; readonly instead: string | undefined };

/** Determines whether passkeys work at the origin that a browser has opened. */
export function relyingPartyAt(opened: string, publicUrl: string): RelyingPartyVerdict {
  const { origin, hostname, host } = new URL(opened);
  const own = new URL(publicUrl);
  if (hostname === 'localhost') return { kind: 'usable', origin, host: hostname };
  if (isBindable(own) && origin === own.origin) return { kind: 'usable', origin, host: hostname };
  if (isLoopbackHost(host)) return { kind: 'elsewhere', instead: atLocalhost(opened) };
  return { kind: 'elsewhere', instead: isBindable(own) ? own.origin : undefined };
}

/**
 * Returns the base URL for an invitation. This is the public URL if passkeys work there, because the invited user is
 * not necessarily on the caller's machine; otherwise, it is the caller's origin, with `localhost` in place of a
 * loopback address.
 */
export function invitationBase(opened: string | null, publicUrl: string): string {
  const own = new URL(publicUrl);
  if (isBindable(own) || opened === null) return publicUrl;
  const verdict = relyingPartyAt(opened, publicUrl);
  return verdict.kind === 'usable' ? verdict.origin : (verdict.instead ?? new URL(opened).origin);
}

const isBindable = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0;

function atLocalhost(opened: string): string {
  const url = new URL(opened);
  url.hostname = 'localhost';
  return url.origin;
}
