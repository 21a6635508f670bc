// Prometheus metrics for this process. Metric names are defined only here.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const NANOSECONDS_PER_SECOND = 1e9;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'signetry_' });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const eventLoopDelay = new Gauge({
    name: 'signetry_event_loop_delay_max_seconds',
    help: 'Longest event loop stall since the last scrape',
    registers: [registry],
    collect() {
      this.set(delay.max / NANOSECONDS_PER_SECOND);
      delay.reset();
    },
  });
  return {
    registry,
    eventLoopDelay,
    httpRequests: new Histogram({
      name: 'signetry_http_request_duration_seconds',
      help: 'Request duration by operation and status',
      labelNames: ['operation', 'status'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers: [registry],
    }),
    certificateOperations: new Counter({
      name: 'signetry_certificate_operations_total',
      help: 'Finished certificate operations by kind (issue, renew, rekey, revoke) and outcome',
      labelNames: ['kind', 'outcome'] as const,
      registers: [registry],
    }),
    ...connectorMetrics(registry),
    egressRefusals: new Counter({
      name: 'signetry_egress_refused_total',
      help: 'Outgoing connections rejected by the egress gate, by reason',
      labelNames: ['reason'] as const,
      registers: [registry],
    }),
    refusedConnections: new Counter({
      name: 'signetry_connections_refused_total',
      help: 'Connections rejected because their IP address had too many open connections',
      registers: [registry],
    }),
    acmeRefusals: new Counter({
      name: 'signetry_acme_refused_total',
      help: 'Rejected ACME requests by problem type',
      labelNames: ['type'] as const,
      registers: [registry],
    }),
    acmeValidations: new Counter({
      name: 'signetry_acme_validations_total',
      help: 'Completed ACME challenges by challenge type and outcome',
      labelNames: ['challenge', 'outcome'] as const,
      registers: [registry],
    }),
    ...eventMetrics(registry),
    auditTampering: new Counter({
      name: 'signetry_audit_tampering_total',
      help: 'Audit chains found truncated or with a modified head before records were added',
      registers: [registry],
    }),
    stop: () => delay.disable(),
  };
}

const connectorMetrics = (registry: Registry) => ({
  connectorCalls: new Histogram({
    name: 'signetry_connector_call_duration_seconds',
    help: 'Duration of connector calls by operation and outcome',
    labelNames: ['operation', 'outcome'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers: [registry],
  }),
  openCircuits: new Gauge({
    name: 'signetry_connector_circuit_open',
    help: 'Connectors whose calls this node suspends temporarily after repeated failures',
    labelNames: ['connector'] as const,
    registers: [registry],
  }),
});

const eventMetrics = (registry: Registry) => ({
  eventsUnread: new Gauge({
    name: 'signetry_events_unread',
    help: 'Events that a log follower has not read yet',
    labelNames: ['follower'] as const,
    registers: [registry],
  }),
  eventsSetAside: new Gauge({
    name: 'signetry_events_set_aside',
    help: 'Events that a log follower set aside after repeated failures',
    labelNames: ['follower'] as const,
    registers: [registry],
  }),
});
