// For other packages: reading the configuration of a platform and starting it. Connectors, the database and the
// services of the platform have entries of their own, so that nobody loads what they do not use.
export { ListenError } from './app/listeners.ts';
export { startServer, type RunningServer, type StartOptions } from './app/start-server.ts';
export { AppError } from './kernel/errors.ts';
export { configurationRows, ConfigurationError, readConfiguration, type Configuration } from './app/configuration.ts';
