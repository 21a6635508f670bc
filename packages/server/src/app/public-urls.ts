// Platform URLs, derived from the settings and listeners. Certificates contain the CRL, OCSP and CA certificate URLs
// for years, so unknown parts are never guessed.
import { isLoopback, listenerUrl, type ListenAddress } from './listeners.ts';
import type { Settings } from './settings.ts';

/** Listeners with their actual ports; with the configured ports until they are open. */
export interface OpenListeners {
  http: ListenAddress | undefined;
  https: ListenAddress | undefined;
  /** HTTPS listener for SCEP that does not request client certificates. */
  scepHttps: ListenAddress | undefined;
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
  { publicUrl, trustedProxies }: Pick<UrlSettings, 'publicUrl' | 'trustedProxies'>,
  { http, https }: Readonly<OpenListeners>,
): string | undefined {
  if (!publicUrl?.startsWith('https:') || trustedProxies.length > 0) return undefined;
  if (!http || !https || isLoopback(http.host) || isLoopback(https.host)) return undefined;
  const { hostname, port } = new URL(publicUrl);
  if (https.port !== Number(port || 443)) return undefined;
  return listenerUrl('http', { host: bareHostname(hostname), port: http.port });
}

const bareHostname = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Returns the URL for SCEP devices, whose messages are themselves encrypted and signed. Some systems cannot renew over
 * TLS if the server requests a client certificate, as the HTTPS listener does.
 */
export const scepUrlOf = (
  values: Pick<Settings, 'scepUrl' | 'publicUrl' | 'trustedProxies' | 'httpServes'>,
  listeners: Readonly<OpenListeners>,
): string =>
  values.scepUrl ??
  scepListenerUrl(values, listeners) ??
  plainDeviceUrl(values, listeners) ??
  values.publicUrl ??
  secureUrl(listeners);

/** Returns undefined if the listener's external URL is unknown, as behind a proxy. */
function scepListenerUrl(
  { publicUrl, trustedProxies }: Pick<Settings, 'publicUrl' | 'trustedProxies'>,
  { scepHttps }: Readonly<OpenListeners>,
): string | undefined {
  if (!scepHttps || publicUrl === undefined) return scepHttps && listenerUrl('https', scepHttps);
  if (trustedProxies.length > 0 || isLoopback(scepHttps.host)) return undefined;
  return listenerUrl('https', { host: bareHostname(new URL(publicUrl).hostname), port: scepHttps.port });
}

/** Returns undefined if devices cannot reach SCEP on the plain HTTP listener. */
function plainDeviceUrl(
  values: Pick<Settings, 'publicUrl' | 'trustedProxies' | 'httpServes'>,
  listeners: Readonly<OpenListeners>,
): string | undefined {
  const { http, https } = listeners;
  if (!http || values.httpServes === 'revocation') return undefined;
  if (values.publicUrl !== undefined) return plainUrlOfPublicHost(values, listeners);
  return isLoopback(http.host) && https && !isLoopback(https.host) ? undefined : listenerUrl('http', http);
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
