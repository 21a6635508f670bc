// Reads the configuration: command line over environment over one YAML file over defaults, each value with its source.
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { parse as parseYaml } from 'yaml';
import {
  environmentName,
  flagName,
  settingNames,
  settings,
  type SettingFacts,
  type SettingName,
  type Settings,
} from './settings.ts';

export type Source = 'command line' | 'environment' | 'file' | 'default' | 'not set';

export interface Configuration {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

/** A configuration mistake: said in one line, with the setting and its source; exit code 2. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

export interface ConfigurationInput {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function readConfiguration(input: ConfigurationInput): Configuration {
  const flags = readFlags(input.args);
  const filePath = flags.get('config') ?? input.environment['SIGNETRY_CONFIG'];
  const file = filePath === undefined ? new Map<string, string>() : readFile(filePath);
  const values: Partial<Record<SettingName, unknown>> = {};
  const sources = {} as Record<SettingName, Source>; // filled for every name below
  for (const name of settingNames) {
    const [text, source] = firstOf(
      [flags.get(name), 'command line'],
      [input.environment[environmentName(name)], 'environment'],
      [file.get(name), 'file'],
      [(settings[name] as SettingFacts).initial, 'default'],
    );
    sources[name] = source;
    if (text !== undefined) values[name] = parseValue(name, { text, source });
  }
  if (sources.production === 'default' && values.databaseUrl !== undefined) values.production = true;
  const configuration = { values: values as Settings, sources }; // every name was parsed by its own type
  assertConsistent(configuration);
  return configuration;
}

type Candidate = readonly [string | undefined, Source];

const firstOf = (...candidates: Candidate[]): Candidate =>
  candidates.find(([text]) => text !== undefined) ?? [undefined, 'not set'];

function parseValue(name: SettingName, given: { text: string; source: Source }): unknown {
  const parsed = (settings[name] as SettingFacts).type.safeParse(given.text);
  if (parsed.success) return parsed.data;
  const where =
    given.source === 'environment'
      ? environmentName(name)
      : given.source === 'file'
        ? `${name} in the file`
        : flagName(name);
  throw new ConfigurationError(`${where}: ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
}

function readFlags(args: readonly string[]): Map<string, string> {
  const options: ParseArgsOptionsConfig = { config: { type: 'string' } };
  for (const name of settingNames) {
    options[flagName(name).slice(2)] = { type: (settings[name] as SettingFacts).switch ? 'boolean' : 'string' };
  }
  let parsed: Record<string, unknown>;
  try {
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new ConfigurationError(
      `${(error as Error).message.split('. ')[0]}. \`signetry start --help\` lists the flags.`,
    ); // parseArgs throws errors only
  }
  const byFlag = new Map(settingNames.map((name) => [flagName(name).slice(2), name as string]));
  return new Map(Object.entries(parsed).map(([flag, value]) => [byFlag.get(flag) ?? flag, String(value)]));
}

function readFile(path: string): Map<string, string> {
  let content: unknown;
  try {
    content = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(`The configuration file ${path} cannot be read: ${(error as Error).message}`); // fs and yaml throw errors only
  }
  if (content === null || content === undefined) return new Map();
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigurationError(`The configuration file ${path} must hold settings as name: value.`);
  const entries = Object.entries(content as Record<string, unknown>);
  const unknown = entries.find(([name]) => !(settingNames as readonly string[]).includes(name));
  if (unknown)
    throw new ConfigurationError(
      `The configuration file ${path} has an unknown setting ${unknown[0]}. Known: ${settingNames.join(', ')}.`,
    );
  return new Map(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]));
}

function assertConsistent({ values }: Configuration): void {
  if (values.http === 'off' && values.https === 'off')
    throw new ConfigurationError('--http and --https are both off; the platform needs a listener.');
  if (values.production && values.sealingKeyFile === undefined) {
    throw new ConfigurationError(
      'Production mode (--production or --database-url) needs --sealing-key-file: a generated key would be lost with this machine. Make one with: openssl rand -base64 32',
    );
  }
}

const MASK = '(set)';

/** Rows of `signetry config`: what is in force and where it came from; secrets masked. */
export const configurationRows = ({ values, sources }: Configuration) =>
  settingNames.map((name) => {
    const value: unknown = values[name];
    const secret = (settings[name] as SettingFacts).secret === true;
    const text = settingText(value);
    return { name, value: secret && text !== '' ? MASK : text, source: sources[name], about: settings[name].about };
  });

function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, part]) => `${name}=${String(part)}`)
      .join(',');
  return String(value ?? '');
}
