// The addresses under which the platform is reached, from the settings and its listeners. Those of CRLs, OCSP and CA
// certificates stand in certificates for years, so what cannot be known is not guessed.
import { isLoopback, listenerUrl, type Address } from './listeners.ts';
import type { Settings } from './settings.ts';

/** The listeners with the ports that are open; until they are open, as the settings ask for them. */
export interface OpenListeners {
  http: Address | undefined;
  https: Address | undefined;
  /** Those of pages that have a listener of their own. */
  side: readonly Address[];
}

type AddressSettings = Pick<Settings, 'publicUrl' | 'revocationUrl' | 'trustedProxies'>;

/** Where clients reach the platform; without a public URL the plain listener, which needs no trust. */
export const publicUrlOf = (
  { publicUrl }: Pick<AddressSettings, 'publicUrl'>,
  listeners: Readonly<OpenListeners>,
): string => publicUrl ?? plainUrl(listeners);

/** What certificates name for CRLs, OCSP and CA certificates: an http URL wherever one is known (RFC 5280 §8). */
export const revocationUrlOf = (values: AddressSettings, listeners: Readonly<OpenListeners>): string =>
  values.revocationUrl ?? besidePublicUrl(values, listeners) ?? publicUrlOf(values, listeners);

/**
 * The plain listener under the host of an https public URL. Only where clients reach the listeners themselves: behind a
 * proxy or a changed port nobody here knows where the plain listener is seen from outside, if it is.
 */
function besidePublicUrl(
  { publicUrl, trustedProxies }: AddressSettings,
  { http, https }: Readonly<OpenListeners>,
): string | undefined {
  if (!publicUrl?.startsWith('https:') || trustedProxies.length > 0) return undefined;
  if (!http || !https || isLoopback(http.host) || isLoopback(https.host)) return undefined;
  const { hostname, port } = new URL(publicUrl);
  if (https.port !== Number(port || 443)) return undefined;
  return listenerUrl('http', { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: http.port });
}

/** Why certificates should name another address, and what helps; undefined when this one will do. */
export function revocationUrlProblem(url: string): string | undefined {
  const named = `Certificates name ${url} for CRLs, OCSP and CA certificates`;
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')))
    return (
      `${named}, which only this machine can reach. Set --revocation-url to an http URL under which all who check ` +
      'certificates reach the plain listener (--http), e.g. http://crl.example'
    );
  if (protocol === 'https:')
    return (
      `${named}. Much software fetches these by http only (RFC 5280 §8), and Apache does not staple with them. Set ` +
      '--revocation-url to an http URL that leads to the plain listener (--http); --http-serves revocation closes ' +
      'that listener to everything else'
    );
  return undefined;
}

const plainUrl = ({ http, https }: Readonly<OpenListeners>): string =>
  http ? listenerUrl('http', http) : listenerUrl('https', https ?? { host: '127.0.0.1', port: 443 });

/** ACME clients speak HTTPS (RFC 8555 §6.1); without that listener a proxy in front of the plain one does. */
export const securedUrl = (listeners: Readonly<OpenListeners>): string =>
  listeners.https ? listenerUrl('https', listeners.https) : plainUrl(listeners);
