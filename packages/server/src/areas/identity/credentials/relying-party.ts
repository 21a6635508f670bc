// The host that passkeys are bound to (the relying party of WebAuthn). A browser binds them to a host name over HTTPS,
// or to `localhost`; never to an IP address, and never to a name that is not the platform's own. Pure.
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../../platform/net/loopback.ts';

export interface RelyingParty {
  /** Where the page must be that asks for the passkey. */
  readonly origin: string;
  readonly host: string;
}

export type RelyingPartyVerdict =
  | ({ readonly kind: 'usable' } & RelyingParty)
  /** Passkeys do not work at this address; they do at `instead`, where there is such a one. */
  | { readonly kind: 'elsewhere'; readonly instead: string | undefined };

/** Do passkeys work under the origin that a browser has opened? */
export function relyingPartyAt(opened: string, publicUrl: string): RelyingPartyVerdict {
  const { origin, hostname, host } = new URL(opened);
  const own = new URL(publicUrl);
  if (hostname === 'localhost') return { kind: 'usable', origin, host: hostname };
  if (isBindable(own) && origin === own.origin) return { kind: 'usable', origin, host: hostname };
  if (isLoopbackHost(host)) return { kind: 'elsewhere', instead: atLocalhost(opened) };
  return { kind: 'elsewhere', instead: isBindable(own) ? own.origin : undefined };
}

/**
 * Where an invitation leads: to the public URL where passkeys work there, since the invited person is elsewhere than
 * the caller; else to where the caller is, or `localhost` instead of an address of this machine.
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
