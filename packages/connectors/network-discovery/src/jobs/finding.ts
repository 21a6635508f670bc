// What remains of a scanned target: how it ended, and the certificates that it served with where each was seen.
import { createHash } from 'node:crypto';
import type { SeenCertificate } from '@signetry/connector-sdk/discovery';
import { endpointText } from '../targets/hosts.ts';
import type { FailureKind } from '../scan/outcome.ts';
import type { ScanResult, Served } from '../scan/scan-target.ts';

export interface ScanCheckpoint {
  /** The first target that was not scanned yet. */
  readonly next: number;
  readonly total: number;
}

export type Outcome = 'served' | FailureKind;

/** Where and how a certificate was seen. */
export interface Sighting {
  /** `HOST:PORT` as it was asked for. */
  readonly endpoint: string;
  readonly address: string;
  /** The name that was sent (SNI). */
  readonly serverName?: string | undefined;
  readonly startTls?: string | undefined;
  readonly protocol: string;
  readonly cipher?: string | undefined;
  /** Place in what was sent; 0 is the server's own. */
  readonly position: number;
  /** Base64 of the OCSP response that was sent along, of a server's own certificate. */
  readonly ocspResponse?: string | undefined;
}

export interface Finding {
  readonly outcome: Outcome;
  readonly certificates: readonly SeenCertificate<Sighting>[];
}

/** Longer ones are not kept: they carry certificates that are a responder's, and belong to no sighting. */
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

const ocspTextOf = ({ ocspResponse }: Served): string | undefined =>
  ocspResponse && ocspResponse.length <= MAX_OCSP_OCTETS ? Buffer.from(ocspResponse).toString('base64') : undefined;
