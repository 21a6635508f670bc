// What other packages may use of the server: starting it (command line), and its technology (test kit).
export { Database, type ConnectionFacts, type Executor } from './platform/database/database.ts';
export { migrate } from './platform/database/migrate.ts';
export * from './platform/database/embedded/index.ts';
export { createSealer, newSealingKey, parseSealingKeys, type Sealer } from './platform/crypto/sealing.ts';
export { createEgressGate, type EgressGate } from './platform/net/egress.ts';
export { createLogger, type Logger } from './platform/logging/logger.ts';
export { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
export { Events } from './platform/events/outbox.ts';
export { Jobs } from './platform/jobs/jobs.ts';
export { createRateLimits, noRateLimits, type LimitName, type Rate } from './platform/limits/rate-limits.ts';
export type { Area, Platform } from './platform/platform.ts';
export {
  startConnectorServer,
  builtInConnectorNames,
  type ConnectorServerOptions,
  type RunningConnectorServer,
} from './app/start-connector.ts';
export { ListenError } from './app/listeners.ts';
export { startServer, type RunningServer, type StartOptions } from './app/start-server.ts';
export { AppError } from './kernel/errors.ts';
export { configurationRows, ConfigurationError, readConfiguration, type Configuration } from './app/configuration.ts';
