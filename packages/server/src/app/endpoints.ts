// Probes endpoints with the network discovery scanner, under the same egress rules.
import { isIP } from 'node:net';
import type { ProbeEndpoint } from '../areas/entities/index.ts';
import { createDiscoveryEgress } from '../platform/net/discovery-egress.ts';
import type { EgressGate } from '../platform/net/egress.ts';

const TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_SECOND = 100;

/**
 * Signature algorithms in OpenSSL notation. TLS 1.3 has separate identifiers for the same algorithms (RFC 8446 §4.2.3).
 */
const SIGNATURES: Readonly<Record<string, string>> = {
  RSA: 'RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:RSA+SHA256:RSA+SHA384:RSA+SHA512:RSA+SHA1',
  ECDSA: 'ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ECDSA+SHA1',
};

export function createEndpoints(gate: EgressGate, networks: readonly string[] = []): ProbeEndpoint {
  const egress = createDiscoveryEgress(gate, networks);
  const assertAddress = egress.assertAddress.bind(egress);
  const loading = lazily(async () => {
    const scanner = await import('@signetry/network-discovery/scan');
    const pace = { ratePerSecond: CONNECTIONS_PER_SECOND, parallelPerHost: 10, ratePerHost: CONNECTIONS_PER_SECOND };
    return { scan: scanner.scanTarget, politeness: new scanner.Politeness(pace) };
  });
  return async ({ host, port, serverName, startTls }, { signal, keyAlgorithm = '' }) => {
    const { scan, politeness } = await loading();
    const isName = isIP(host) === 0;
    const target = {
      host,
      isName,
      port,
      startTls,
      serverName: serverName ?? (isName ? host : undefined),
      signatures: SIGNATURES[keyAlgorithm],
    };
    const { served, failures } = await scan(target, { timeoutMs: TIMEOUT_MS, politeness, signal, assertAddress });
    return { served, failures: failures.map(({ message }) => message) };
  };
}

function lazily<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => (loaded ??= load());
}
