// Result of a scanned target: its outcome, and the certificates presented, each with where it was seen.
import { createHash } from 'node:crypto';
import type { SeenCertificate } from '@signetry/connector-sdk/discovery';
import { endpointText } from '../targets/hosts.ts';
import type { FailureKind } from '../scan/outcome.ts';
import type { ScanResult, ServedHandshake } from '../scan/scan-target.ts';

export interface ScanCheckpoint {
  /** First target that has not been scanned yet. */
  readonly next: number;
  readonly total: number;
}

export type Outcome = 'served' | FailureKind;

/** Where and how a certificate was seen. */
export interface Sighting {
  /** `HOST:PORT` as requested. */
  readonly endpoint: string;
  readonly address: string;
  /** Server name sent in the handshake (SNI). */
  readonly serverName?: string | undefined;
  readonly startTls?: string | undefined;
  readonly protocol: string;
  readonly cipher?: string | undefined;
  /** Position in the chain as sent. The server certificate is at position 0. */
  readonly position: number;
  /** Base64-encoded stapled OCSP response, for server certificates only. */
  readonly ocspResponse?: string | undefined;
}

export interface Finding {
  readonly outcome: Outcome;
  readonly certificates: readonly SeenCertificate<Sighting>[];
}

/** Longer responses are not stored: they contain responder certificates, which do not belong to a sighting. */
const MAX_OCSP_OCTETS = 8_192;

export function findingOf({ target, served, failures }: ScanResult): Finding {
  const endpoint = endpointText(target.host, target.port);
  const certificates = served.flatMap((each) =>
    each.chain.map((der, position): SeenCertificate<Sighting> => ({
      fingerprint: createHash('sha256').update(der).digest('hex'),
      der,
      sighting: {
        endpoint,
        address: each.address,
        serverName: target.serverName,
        startTls: target.startTls,
        protocol: each.protocol,
        cipher: each.cipher,
        position,
        ...(position === 0 ? { ocspResponse: ocspTextOf(each) } : {}),
      },
    })),
  );
  return { outcome: served.length > 0 ? 'served' : (failures[0]?.kind ?? 'unresolved'), certificates };
}

const ocspTextOf = ({ ocspResponse }: ServedHandshake): string | undefined =>
  ocspResponse && ocspResponse.length <= MAX_OCSP_OCTETS ? Buffer.from(ocspResponse).toString('base64') : undefined;
