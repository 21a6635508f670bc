// Services that areas are built on, exported for the testkit.
export { createSealer, newSealingKey, parseSealingKeys, type Sealer } from './platform/crypto/sealing.ts';
export { createEgressGate, type EgressGate } from './platform/net/egress.ts';
export { createLogger, type Logger } from './platform/logging/logger.ts';
export { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
export { Events } from './platform/events/outbox.ts';
export { Jobs } from './platform/jobs/jobs.ts';
export { createRateLimits, noRateLimits, type LimitName, type Rate } from './platform/limits/rate-limits.ts';
export type { Area, Platform } from './platform/platform.ts';
