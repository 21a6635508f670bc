// Port for endpoint probes.
import type { StartTlsProtocol } from '@signetry/contract';

export interface Endpoint {
  /** Host name or IP address. */
  readonly host: string;
  readonly port: number;
  /** Server name to send (SNI, RFC 6066 §3). */
  readonly serverName?: string | undefined;
  readonly startTls?: StartTlsProtocol | undefined;
}

/** The chain served at one of an endpoint's addresses. */
export interface ObservedChain {
  readonly address: string;
  /** E.g. `TLSv1.3`. */
  readonly protocol: string;
  /** DER, in the order sent: the server certificate is first. */
  readonly chain: readonly Uint8Array[];
}

export interface EndpointObservation {
  readonly served: readonly ObservedChain[];
  /** Why some addresses served no certificate, as error messages that contain nothing sent by a peer. */
  readonly failures: readonly string[];
}

export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Requests the certificate with this key algorithm from servers that have certificates for multiple algorithms. */
  readonly keyAlgorithm?: string | undefined;
}

/** Performs a TLS handshake with every address of an endpoint; failures are part of the result. */
export type ProbeEndpoint = (endpoint: Endpoint, options: ProbeOptions) => Promise<EndpointObservation>;
