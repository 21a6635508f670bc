// Reads the configuration. Precedence: command line, environment, YAML file, defaults. Each value records its source.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { findNearest } from '../kernel/nearest.ts';
import { acmeTestMode } from './acme-test-mode.ts';
import { ConfigurationError } from './configuration-errors.ts';
import { readConfigurationFile, type FileValue } from './configuration-file.ts';
import {
  environmentName,
  flagName,
  settingNames,
  settings,
  type SettingFacts,
  type SettingName,
  type Settings,
} from './settings.ts';

export type Source = 'command line' | 'environment' | 'file' | 'default' | 'implied by databaseUrl' | 'not set';

export interface Configuration {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
  /** Values as specified; settings that are not set are absent. */
  readonly texts: Readonly<Partial<Record<SettingName, string>>>;
}

export interface ConfigurationInput {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function readConfiguration(input: ConfigurationInput): Configuration {
  const flags = readFlags(input.args);
  assertKnownNames(input.environment);
  const filePath = flags.get('config') ?? input.environment['SIGNETRY_CONFIG'];
  const file = filePath === undefined ? new Map<string, FileValue>() : readConfigurationFile(filePath);
  const values: Partial<Record<SettingName, unknown>> = {};
  const texts: Partial<Record<SettingName, string>> = {};
  const sources = {} as Record<SettingName, Source>; // All names are filled in below.
  for (const name of settingNames) {
    const { text, source, place } = firstOf(
      { text: flags.get(name), source: 'command line', place: flagName(name) },
      { text: input.environment[environmentName(name)], source: 'environment', place: environmentName(name) },
      { text: file.get(name)?.text, source: 'file', place: `${file.get(name)?.place}: ${name}` },
      { text: (settings[name] as SettingFacts).initial, source: 'default', place: name },
    );
    sources[name] = source;
    if (text === undefined) continue;
    values[name] = parseValue(name, { text, source, place });
    texts[name] = text;
  }
  if (sources.production === 'default' && values.databaseUrl !== undefined) {
    values.production = true;
    texts.production = 'true';
    sources.production = 'implied by databaseUrl';
  }
  assertDeliberate(sources.production, values);
  const configuration = { values: values as Settings, sources, texts }; // Each value was parsed by its own type.
  assertConsistent(configuration);
  return configuration;
}

interface Candidate {
  readonly text: string | undefined;
  readonly source: Source;
  /** Position of the value, for the error message. */
  readonly place: string;
}

const firstOf = (...candidates: Candidate[]): Candidate =>
  candidates.find(({ text }) => text !== undefined) ?? { text: undefined, source: 'not set', place: '' };

function parseValue(name: SettingName, { text, place }: Candidate & { readonly text: string }): unknown {
  const parsed = (settings[name] as SettingFacts).type.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`${place}: ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
}

/**
 * Production mode protects a cluster. It can be turned off only deliberately, on the command line, and not by a
 * forgotten environment variable.
 */
function assertDeliberate(source: Source, values: Partial<Record<SettingName, unknown>>): void {
  if (values.production !== false || values.databaseUrl === undefined || source === 'command line') return;
  const place = source === 'environment' ? environmentName('production') : `production in the ${source}`;
  throw new ConfigurationError(
    `${place}: production mode is on with an external database and cannot be disabled here; use --no-production on the command line, or remove the setting.`,
  );
}

function readFlags(args: readonly string[]): Map<string, string> {
  const options: ParseArgsOptionsConfig = { config: { type: 'string' } };
  for (const name of settingNames) {
    options[flagName(name).slice(2)] = { type: (settings[name] as SettingFacts).switch ? 'boolean' : 'string' };
  }
  let parsed: Record<string, unknown>;
  try {
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: false, allowNegative: true }).values;
  } catch (error) {
    throw new ConfigurationError(
      `${(error as Error).message.split('. ')[0]}. \`signetry start --help\` lists the flags.`,
    ); // The parseArgs function throws only `Error` objects.
  }
  const byFlag = new Map(settingNames.map((name) => [flagName(name).slice(2), name as string]));
  return new Map(Object.entries(parsed).map(([flag, value]) => [byFlag.get(flag) ?? flag, String(value)]));
}

function assertConsistent({ values }: Configuration): void {
  if (values.http === 'off' && values.https === 'off')
    throw new ConfigurationError('--http and --https are both off; at least one listener is required.');
  if (values.httpServes === 'revocation' && values.https === 'off')
    throw new ConfigurationError('--http-serves revocation requires the HTTPS listener, which serves everything else.');
  if (values.production && acmeTestMode(values))
    throw new ConfigurationError(
      '--acme-test-bad-nonces and --acme-test-validation-delay are for ACME client developers and cannot be used in production mode.',
    );
  if (values.production && values.sealingKeyFile === undefined) {
    throw new ConfigurationError(
      'Production mode (--production or --database-url) requires --sealing-key-file: a generated key would be lost with this machine. Create a key file with: openssl rand -base64 32',
    );
  }
}

export { ConfigurationError } from './configuration-errors.ts';

const MASK = '(set)';

/**
 * Returns the rows that `signetry config` prints: effective values as specified, and their sources. Secrets are masked.
 */
export const configurationRows = ({ sources, texts }: Configuration) =>
  settingNames.map((name) => {
    const text = texts[name] ?? '';
    const secret = (settings[name] as SettingFacts).secret === true;
    return { name, value: secret && text !== '' ? MASK : text, source: sources[name], about: settings[name].about };
  });

/** Prefix of settings in the environment. A misspelled name would silently have no effect, so it is rejected. */
const PREFIX = 'SIGNETRY_';

/** Environment variables that are not settings: they are used by the command line, the fault suites and the tests. */
const OTHER_NAMES = [
  'SIGNETRY_CONFIG',
  'SIGNETRY_URL',
  'SIGNETRY_TOKEN',
  'SIGNETRY_TRACE',
  'SIGNETRY_FAULT_POINT',
  'SIGNETRY_TEST_LOG',
];

function assertKnownNames(environment: Readonly<Record<string, string | undefined>>): void {
  const known = [...settingNames.map(environmentName), ...OTHER_NAMES];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || known.includes(name) || isServiceVariable(name, value)) continue;
    const guess = findNearest(name, known);
    throw new ConfigurationError(
      `${name} in the environment is not a setting. ${guess === undefined ? `\`signetry config\` lists the settings; publicUrl, for example, is ${environmentName('publicUrl')} here.` : `Did you mean ${guess}?`}`,
    );
  }
}

/** Kubernetes and container links set these names in every container if a service is called signetry. */
const isServiceVariable = (name: string, value: string | undefined): boolean =>
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?$/.test(name) ||
  /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
