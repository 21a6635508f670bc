// Metrics of this area, in the process's registry.
import { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/metrics.ts';

export type RevocationMetrics = ReturnType<typeof createRevocationMetrics>;

export function createRevocationMetrics({ registry }: Pick<Metrics, 'registry'>) {
  return {
    ocspResponses: new Counter({
      name: 'signetry_ocsp_responses_total',
      help: 'OCSP responses by status (RFC 6960) and source: signed for the request, or cached',
      labelNames: ['status', 'source'] as const,
      registers: [registry],
    }),
    crlFetches: new Counter({
      name: 'signetry_crl_fetches_total',
      help: 'CRLs fetched from authorities by kind and outcome',
      labelNames: ['kind', 'outcome'] as const,
      registers: [registry],
    }),
  };
}
