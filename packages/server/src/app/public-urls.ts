// Platform URLs, derived from the settings and listeners. Certificates contain the CRL, OCSP and CA certificate URLs
// for years, so unknown parts are never guessed.
import { isLoopback, listenerUrl, type ListenAddress } from './listeners.ts';
import type { Settings } from './settings.ts';

/** Listeners with their actual ports; with the configured ports until they are open. */
export interface OpenListeners {
  http: ListenAddress | undefined;
  https: ListenAddress | undefined;
  /** Separate listeners for individual pages. */
  side: readonly ListenAddress[];
}

type UrlSettings = Pick<Settings, 'publicUrl' | 'revocationUrl' | 'trustedProxies'>;

/**
 * Returns the URL for clients: the public URL, or else the plain HTTP listener's URL, for which clients need no trust
 * anchor.
 */
export const publicUrlOf = (
  { publicUrl }: Pick<UrlSettings, 'publicUrl'>,
  listeners: Readonly<OpenListeners>,
): string => publicUrl ?? plainUrl(listeners);

/**
 * Returns the URL for CRLs, OCSP and CA certificates in issued certificates. It is an http URL if one is known (RFC
 * 5280 §8).
 */
export const revocationUrlOf = (values: UrlSettings, listeners: Readonly<OpenListeners>): string =>
  values.revocationUrl ?? plainUrlOfPublicHost(values, listeners) ?? publicUrlOf(values, listeners);

/**
 * Returns the plain HTTP listener's URL under the host name of an https public URL, but only if clients reach the
 * listeners directly: behind a proxy or a remapped port, the listener's external URL is unknown, and the listener may
 * not be reachable.
 */
function plainUrlOfPublicHost(
  { publicUrl, trustedProxies }: UrlSettings,
  { http, https }: Readonly<OpenListeners>,
): string | undefined {
  if (!publicUrl?.startsWith('https:') || trustedProxies.length > 0) return undefined;
  if (!http || !https || isLoopback(http.host) || isLoopback(https.host)) return undefined;
  const { hostname, port } = new URL(publicUrl);
  if (https.port !== Number(port || 443)) return undefined;
  return listenerUrl('http', { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: http.port });
}

/** Returns why certificates should contain a different URL, and how to fix it; undefined if this URL is suitable. */
export function revocationUrlProblem(url: string): string | undefined {
  const named = `Certificates contain ${url} for CRLs, OCSP and CA certificates`;
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')))
    return (
      `${named}, which only this machine can reach. Set --revocation-url to an http URL at which all relying ` +
      'parties can reach the plain HTTP listener (--http), e.g. http://crl.example'
    );
  if (protocol === 'https:')
    return (
      `${named}. Many clients fetch these only over http (RFC 5280 §8), and Apache does not staple with https URLs. Set ` +
      '--revocation-url to an http URL that leads to the plain HTTP listener (--http); --http-serves revocation closes ' +
      'that listener to everything else'
    );
  return undefined;
}

const plainUrl = ({ http, https }: Readonly<OpenListeners>): string =>
  http ? listenerUrl('http', http) : listenerUrl('https', https ?? { host: '127.0.0.1', port: 443 });

/**
 * Returns the URL for ACME clients, which use HTTPS (RFC 8555 §6.1). If there is no HTTPS listener, a proxy in front of
 * the plain HTTP listener terminates TLS.
 */
export const secureUrl = (listeners: Readonly<OpenListeners>): string =>
  listeners.https ? listenerUrl('https', listeners.https) : plainUrl(listeners);
