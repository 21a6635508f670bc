// Commands that run a server in this process or show its settings: `start`, `connector`, `config`.
import { resolve } from 'node:path';
import { command } from '../command-line/command.ts';
import { parseHttpUrl, parseInstant, parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { renderTable, type Column } from '../output/table.ts';
import { findRunningPlatform } from '../platform/find-platform.ts';
import type { RunningSetting } from '../platform/run-file.ts';
import type { ConfigurationRow, Running } from '../platform/server-module.ts';

export const start = command({
  name: 'start',
  about: 'Start the platform; Ctrl-C stops it',
  takesSettings: true,
  details: [
    'With --json, human-readable output goes to standard error, and the URLs are printed to standard output once the platform is ready. Ctrl-C or SIGTERM lets running work finish; a second Ctrl-C terminates immediately.',
  ],
  examples: [
    'signetry start',
    'signetry start --data /var/lib/signetry --https 0.0.0.0:8443 --public-url https://ca.example:8443',
  ],
  async run({ args, json }, context) {
    const { environment } = context;
    const server = await context.loadServer();
    const running = await server.startServer({ args, environment, out: json ? context.err : context.out });
    if (json) printJson(context, running.announcement ?? {});
    return runUntilStopped(running, context);
  },
});

const MAX_PORT = 65_535;

export const connector = command({
  name: 'connector',
  about: 'Run a built-in connector on its own port, for this or any other platform',
  arguments: [{ name: 'NAME', about: 'name of the connector, e.g. software-authority' }],
  flags: {
    port: { value: 'PORT', required: true, about: 'Port to listen on; 0 selects a free one' },
    host: { value: 'HOST', initial: '127.0.0.1', about: 'Address to listen on' },
    data: { value: 'DIR', about: 'Data directory of the connector, with an embedded database and the sealing key' },
    'database-url': { value: 'URL', about: 'External PostgreSQL 15 or newer instead of the embedded one' },
    'sealing-key-file': {
      value: 'FILE',
      about: 'File with the keys that seal secrets (default: created in the data directory)',
    },
    'accept-clock': {
      value: 'TIME',
      about: 'Sign although the issuance journal has an entry with this time, which is ahead of the clock',
    },
    'pkcs11-libraries': {
      value: 'NAME=PATH',
      about: 'PKCS #11 libraries that pkcs11-tokens can load, separated by commas',
    },
    'discovery-networks': {
      value: 'NETWORK',
      about: 'Networks that network-discovery can scan, separated by commas (default: public and private addresses)',
    },
    'discovery-directories': {
      value: 'NAME=PATH',
      about: 'Directories that file-discovery can search, separated by commas',
    },
    'entity-directories': {
      value: 'NAME=PATH',
      about: 'Comma-separated list of directories in which file-entities can change files',
    },
    'entity-reload-commands': {
      value: 'NAME=COMMAND',
      about: 'Commands that file-entities can run after a change, separated by commas',
    },
    'public-url': {
      value: 'URL',
      about:
        'Base URL of the CRL, OCSP and CA certificate URLs in certificates, for platforms that do not set their own',
    },
  },
  details: [
    'With --database-url but without --data, the data directory is NAME-data in the current directory; it contains the sealing key.',
  ],
  examples: ['signetry connector software-authority --port 9000 --data connector-data'],
  async run({ args: [name = ''], flags, json }, context) {
    const { host, data, 'database-url': databaseUrl, 'sealing-key-file': sealingKeyFile } = flags;
    const publicUrl = flags['public-url'] && parseHttpUrl('--public-url', flags['public-url']);
    const port = parseWholeNumber('--port', { text: flags.port, min: 0, max: MAX_PORT });
    if (data === undefined && databaseUrl === undefined)
      throw usageError('A connector requires its own --data DIR or --database-url URL, not those of a platform.');
    const acceptClock = parseInstant('--accept-clock', flags['accept-clock']);
    const server = await context.loadServer();
    const running = await server.startConnectorServer({
      name,
      host,
      port,
      data: resolve(context.cwd, data ?? `${name}-data`),
      databaseUrl,
      sealingKeyFile: sealingKeyFile && resolve(context.cwd, sealingKeyFile),
      acceptClock,
      pkcs11Libraries: flags['pkcs11-libraries'],
      discoveryNetworks: flags['discovery-networks'],
      discoveryDirectories: flags['discovery-directories'],
      entityDirectories: flags['entity-directories'],
      entityReloadCommands: flags['entity-reload-commands'],
      publicUrl,
      out: json ? context.err : context.out,
    });
    if (json) printJson(context, running.announcement ?? {});
    return runUntilStopped(running, context);
  },
});

/** Runs the server until it ends or the command is stopped, which is not a failure. */
async function runUntilStopped(running: Running, { signal, err }: Context): Promise<ExitCode> {
  const asked = Promise.withResolvers<void>();
  const onAbort = () => asked.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([asked.promise, ...(running.stopped ? [running.stopped] : [])]);
    if (signal.aborted) err('Stopping: waiting for running work to finish.');
  } finally {
    signal.removeEventListener('abort', onAbort);
    await running.stop();
  }
  return EXIT.ok;
}

export const config = command({
  name: 'config',
  about: 'Show the settings of the running platform, or the settings it would start with',
  takesSettings: true,
  details: [
    'Without flags other than --data, the command shows the settings with which the platform on this machine was started. With other flags, or if no platform is running, it shows the settings that `signetry start` would use, including those from environment variables and named files.',
  ],
  examples: ['signetry config', 'signetry config --http 0.0.0.0:8080', 'signetry config --json'],
  async run({ args, json }, context) {
    const { configuration } = await context.loadServer();
    const planned = configuration({ args, environment: context.environment });
    const where = parseDataOnly(args);
    const running = where && (await findRunningPlatform(where, context));
    const rows = running?.run.settings ? withDescriptions(running.run.settings, planned) : planned;
    if (json) printJson(context, rows);
    else {
      const { colour, width } = context;
      context.out(renderTable(rows, { columns: settingColumns, colour, width }));
      context.err(
        running?.run.settings
          ? `Settings of the platform running on ${running.directory} (process ${running.run.pid}).`
          : 'Settings that `signetry start` would use.',
      );
    }
    return EXIT.ok;
  },
});

/**
 * Returns the data directory if no other flag is present. In that case, the flag selects a running platform instead of
 * describing a configuration.
 */
function parseDataOnly(args: readonly string[]): { readonly data: string | undefined } | undefined {
  if (args.length === 0) return { data: undefined };
  const [first = '', second] = args;
  if (args.length === 1 && first.startsWith('--data=')) return { data: first.slice('--data='.length) };
  return args.length === 2 && first === '--data' ? { data: second } : undefined;
}

const settingColumns: readonly Column<ConfigurationRow>[] = [
  { title: 'Setting', isWhole: true, text: ({ name }) => name },
  { title: 'Value', text: ({ value }) => value },
  { title: 'Source', text: ({ source }) => source },
  { title: 'Description', isMinor: true, text: ({ about }) => about },
];

/** Adds the setting descriptions, which the run file does not contain. */
function withDescriptions(
  running: readonly RunningSetting[],
  planned: readonly ConfigurationRow[],
): readonly ConfigurationRow[] {
  const about = new Map(planned.map((row) => [row.name, row.about]));
  return running.map((row) => ({ ...row, about: about.get(row.name) ?? '' }));
}
