// What this area needs from outside.
import type { StartTlsProtocol } from '@signetry/contract';

export interface Endpoint {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** The name that is sent (SNI, RFC 6066 §3). */
  readonly serverName?: string | undefined;
  readonly startTls?: StartTlsProtocol | undefined;
}

/** What an address of an endpoint served. */
export interface SeenAt {
  readonly address: string;
  /** E.g. `TLSv1.3`. */
  readonly protocol: string;
  /** DER, as sent: the certificate of the server comes first. */
  readonly chain: readonly Uint8Array[];
}

export interface Seen {
  readonly served: readonly SeenAt[];
  /** Why addresses served nothing, in words; nothing that a peer sent is in them. */
  readonly failures: readonly string[];
}

export interface LookOptions {
  readonly signal: AbortSignal;
  /** Asks servers with certificates for several algorithms for the one with a key of this. */
  readonly keyAlgorithm?: string | undefined;
}

/** Shakes hands with every address of an endpoint; what goes wrong there is in what it answers. */
export type LookAtEndpoint = (endpoint: Endpoint, options: LookOptions) => Promise<Seen>;
