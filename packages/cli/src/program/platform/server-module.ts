// Subset of the server package that the command line uses. Loading the package takes longer than most commands, so only
// commands that run a server here, and their help, load it.
import type { Environment } from '../environment.ts';

/** A row of the effective configuration; secrets are masked. */
export interface ConfigurationRow {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly about: string;
}

export interface Running {
  /** Stops accepting new work and lets running work finish. Can be called more than once. */
  stop(): Promise<void>;
  /** Settles when the server ends. Absent if only `stop` can end it. */
  readonly stopped?: Promise<void>;
  /** Machine-readable output once the server is ready: URLs, and a platform's sign-in link. */
  readonly announcement?: object;
}

export interface StartInput {
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly out: (line: string) => void;
}

export interface ConnectorInput {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly sealingKeyFile: string | undefined;
  readonly acceptClock: Date | undefined;
  readonly pkcs11Libraries: string | undefined;
  readonly discoveryNetworks: string | undefined;
  readonly discoveryDirectories: string | undefined;
  readonly entityDirectories: string | undefined;
  readonly entityReloadCommands: string | undefined;
  readonly publicUrl: string | undefined;
  readonly out: (line: string) => void;
}

export interface ServerModule {
  startServer(input: StartInput): Promise<Running>;
  startConnectorServer(input: ConnectorInput): Promise<Running>;
  /** Returns the effective configuration. Throws an error named `ConfigurationError`. */
  configuration(input: Pick<StartInput, 'args' | 'environment'>): readonly ConfigurationRow[];
}

export async function loadServerModule(): Promise<ServerModule> {
  const { configurationRows, readConfiguration, startServer } = await import('@signetry/server');
  return {
    startServer,
    async startConnectorServer(input) {
      const { startConnectorServer } = await import('@signetry/server/connectors');
      const { url, stop } = await startConnectorServer(input);
      return { stop, announcement: { url } };
    },
    configuration: (input) => configurationRows(readConfiguration(input)),
  };
}
