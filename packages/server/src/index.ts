// Entry point for other packages: reads the configuration of a platform and starts it. Connectors, the database and the
// platform's services have separate entry points, so that callers load only what they use.
export { ListenError } from './app/listeners.ts';
export { startServer, type RunningServer, type StartOptions } from './app/start-server.ts';
export { AppError } from './kernel/errors.ts';
export { configurationRows, ConfigurationError, readConfiguration, type Configuration } from './app/configuration.ts';
