// Compares the certificate served by an endpoint with the expected one. Pure.
import { createHash } from 'node:crypto';
import { commonName, formatName, readCertificate } from '@signetry/pki';
import type { Endpoint, EndpointObservation, ObservedChain } from './ports.ts';
import type { ProbeRow } from './tables.ts';

/** Returns the SHA-256 in hexadecimal, like fingerprints in the inventory. */
export const fingerprintOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex');

export const endpointOf = ({ host, port, server_name, start_tls }: ProbeRow): Endpoint => ({
  host,
  port,
  serverName: server_name ?? undefined,
  startTls: start_tls ?? undefined,
});

/** Returns the server certificate. */
export const leafOf = ({ chain }: ObservedChain): Uint8Array | undefined => chain[0];

/** Returns one reason why the expected certificate is not served; undefined if it is. */
export function notServedReason(
  seen: EndpointObservation,
  { endpoint, expected }: { readonly endpoint: Endpoint; readonly expected: ReadonlySet<string> },
): string | undefined {
  const other = seen.served.find((at) => !isExpected(at, expected));
  if (other) return `${textOf(endpoint, other)} serves ${nameOf(leafOf(other))}`;
  if (seen.served.length > 0) return undefined;
  return `${textOf(endpoint)} serves no certificate: ${seen.failures[0] ?? 'the host name has no address'}`;
}

export function isExpected(at: ObservedChain, expected: ReadonlySet<string>): boolean {
  const leaf = leafOf(at);
  return leaf !== undefined && expected.has(fingerprintOf(leaf));
}

/** Includes the IP address unless it is the host itself. */
export function textOf({ host, port }: Endpoint, at?: ObservedChain): string {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return at === undefined || at.address === host ? place : `${place} (${at.address})`;
}

function nameOf(der: Uint8Array | undefined): string {
  if (!der) return 'no certificate';
  try {
    const { subject, serialNumber, notAfterMs } = readCertificate(der);
    const name = commonName(subject) ?? (formatName(subject) || 'a certificate without a subject');
    return `${name} (serial number ${serialNumber}, valid until ${new Date(notAfterMs).toISOString().slice(0, 10)})`;
  } catch {
    return 'a certificate that cannot be read';
  }
}
