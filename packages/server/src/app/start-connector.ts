// Serves a built-in connector on its own port with its own data, for this platform or any other that supports the
// connector interface.
import { randomBytes } from 'node:crypto';
import { createPostgresStorage, schemaNameOf, serveConnector, type ConnectorEgress } from '@signetry/connector-sdk';
import { systemClock } from '../kernel/clock.ts';
import { acquireDirectoryLock } from '../platform/database/embedded/index.ts';
import { createLogger, type LogLevel } from '../platform/logging/logger.ts';
import { createDiscoveryEgress } from '../platform/net/discovery-egress.ts';
import { createEgressGate } from '../platform/net/egress.ts';
import { builtInConnectors } from './built-in-connectors.ts';
import { ConfigurationError } from './configuration.ts';
import { openDataDirectory } from './data-directory.ts';
import { openDatabase } from './open-database.ts';
import { openSealer } from './sealing-key.ts';
import {
  discoveryDirectories,
  discoveryNetworks,
  entityDirectories,
  entityReloadCommands,
  pkcs11Libraries,
} from './settings.ts';

export const builtInConnectorNames: readonly string[] = builtInConnectors.map(({ name }) => name);

export interface ConnectorServerOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The connector's own data directory, not a platform's. */
  readonly data: string;
  readonly databaseUrl?: string | undefined;
  readonly sealingKeyFile?: string | undefined;
  /** Same as the platform setting. */
  readonly acceptClock?: Date | undefined;
  /** Same text as in the platform setting. */
  readonly pkcs11Libraries?: string | undefined;
  /** Same text as in the platform setting. */
  readonly discoveryNetworks?: string | undefined;
  readonly discoveryDirectories?: string | undefined;
  readonly entityDirectories?: string | undefined;
  readonly entityReloadCommands?: string | undefined;
  /**
   * URL at which the connector publishes CRLs, OCSP responses and CA certificates; see `ConnectorContext.publicUrl`.
   */
  readonly publicUrl?: string | undefined;
  /** Default: `info`. */
  readonly logLevel?: LogLevel;
  readonly out: (line: string) => void;
}

export interface RunningConnectorServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startConnectorServer(options: ConnectorServerOptions): Promise<RunningConnectorServer> {
  const connector = builtInConnectors.find(({ name }) => name === options.name);
  if (!connector)
    throw new ConfigurationError(
      `There is no built-in connector ${options.name}. Built in: ${builtInConnectorNames.join(', ')}.`,
    );
  const egress = egressOf(options.discoveryNetworks);
  const touched = {
    libraries: namedValues(pkcs11Libraries, { flag: '--pkcs11-libraries', text: options.pkcs11Libraries }),
    readableDirectories: namedValues(discoveryDirectories, {
      flag: '--discovery-directories',
      text: options.discoveryDirectories,
    }),
    directories: namedValues(entityDirectories, { flag: '--entity-directories', text: options.entityDirectories }),
    reloadCommands: namedValues(entityReloadCommands, {
      flag: '--entity-reload-commands',
      text: options.entityReloadCommands,
    }),
  };
  const log = createLogger({ level: options.logLevel ?? 'info' });
  const stack = new AsyncDisposableStack();
  try {
    const directory = await openDataDirectory(options.data);
    const lock = await acquireDirectoryLock(directory.root);
    stack.defer(() => void lock.release());
    const { database, close } = await openDatabase({
      directory: directory.root,
      databaseUrl: options.databaseUrl,
      lock,
      log,
      migrations: 'none',
    });
    stack.defer(close);
    const sealer = await openSealer({ directory, file: options.sealingKeyFile });
    const server = await serveConnector(connector, {
      host: options.host,
      port: options.port,
      context: {
        storage: createPostgresStorage(database.connections, { schema: schemaNameOf(connector) }),
        seal: sealer.seal,
        open: sealer.open,
        clock: systemClock,
        acceptedClock: options.acceptClock,
        egress,
        ...touched,
        randomBytes: (length) => new Uint8Array(randomBytes(length)),
        log,
        publicUrl: options.publicUrl,
      },
    });
    stack.defer(() => server.close());
    options.out(`Connector ${connector.name} is ready at ${server.url}`);
    return { url: server.url, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function namedValues(
  type: typeof pkcs11Libraries,
  { flag, text = '' }: { readonly flag: string; readonly text: string | undefined },
): Readonly<Record<string, string>> {
  const parsed = type.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`${flag} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
}

/** Returns the egress rules of a standalone connector, which has one listener and no other rules. */
function egressOf(text = ''): ConnectorEgress {
  const parsed = discoveryNetworks.safeParse(text);
  if (!parsed.success)
    throw new ConfigurationError(`--discovery-networks ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  const gate = createEgressGate({ allowLoopback: false, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  return createDiscoveryEgress(gate, parsed.data);
}
