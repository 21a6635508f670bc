// Every setting of the platform, declared once: name, type, default, and what it does. The command line, the
// environment, the file, the printed table and the reference page derive from this list.
import { z } from 'zod';
import { logLevels } from '../platform/logging/logger.ts';

/** `HOST:PORT`, with brackets around an IPv6 address; port 0 takes any free port; `off` closes the listener. */
const listenAddress = z
  .string()
  .regex(/^(?:off|(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):\d{1,5})$/, 'must be HOST:PORT, e.g. 127.0.0.1:8080, or off');
const flag = z.stringbool();
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const settingList = list.pipe(
  z
    .array(z.string().regex(/^[a-z_.]+=.+$/, 'must be NAME=VALUE, several separated by commas'))
    .transform((items) =>
      Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
    ),
);
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'must be an http or https URL without query')
  .transform((url) => url.replace(/\/+$/, ''));
const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().min(1).max(65_535));
/** A name server, e.g. 192.0.2.53:53 or [2001:db8::53]:53; by address, since there is nobody to look its name up. */
const resolverAddress = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:.]+\]|\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, 'must be ADDRESS:PORT, e.g. 192.0.2.53:53')
  .transform((text) => {
    const at = text.lastIndexOf(':');
    return { address: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(at + 1)) };
  });
const milliseconds = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of milliseconds up to 60000')
  .transform(Number)
  .pipe(z.number().max(60_000));

export interface SettingFacts<Value = unknown> {
  /** Type and validation; flags, environment and file all hand in text. */
  readonly type: z.ZodType<Value, string>;
  /** Text form of the default; absent when there is none. */
  readonly initial?: string;
  readonly about: string;
  /** Shown masked. */
  readonly secret?: true;
  /** A flag on the command line needs no value. */
  readonly switch?: true;
}

/** Keeps whether there is a default in the type: a setting without one may be absent. */
const setting = <Value, const Facts extends SettingFacts<Value>>(facts: Facts & SettingFacts<Value>): Facts => facts;

/** Name in the file and, as `--kebab-case` and `SIGNETRY_UPPER_CASE`, on the command line and in the environment. */
export const settings = {
  data: setting({
    type: z.string().min(1),
    initial: 'data',
    about: 'Data directory: embedded database, sealing key, root certificate, run file.',
  }),
  http: setting({
    type: listenAddress,
    initial: '127.0.0.1:8080',
    about: 'HTTP listener (HOST:PORT or off): API, protocols, CRL, OCSP.',
  }),
  https: setting({
    type: listenAddress,
    initial: '127.0.0.1:8443',
    about: "HTTPS listener (HOST:PORT or off) with the platform's own certificate.",
  }),
  publicUrl: setting({
    type: httpUrl,
    about: 'Address under which clients reach the platform; stands in certificates as CRL, OCSP and issuer address.',
  }),
  databaseUrl: setting({
    type: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
    secret: true,
    about: 'External PostgreSQL 15 or newer instead of the embedded one.',
  }),
  postgresSettings: setting({
    type: settingList,
    initial: '',
    about: 'Settings of the embedded PostgreSQL, NAME=VALUE separated by commas, e.g. shared_buffers=512MB.',
  }),
  sealingKeyFile: setting({
    type: z.string().min(1),
    about: 'File of the keys that seal secrets at rest; made in the data directory when not set.',
  }),
  production: setting({
    type: flag,
    initial: 'false',
    switch: true,
    about: 'Refuse generated defaults; needs --sealing-key-file. On with --database-url.',
  }),
  readyFile: setting({
    type: z.string().min(1),
    about: 'File written (mode 0600) once the platform is ready: addresses, sign-in link, root certificate, pid.',
  }),
  logLevel: setting({ type: z.enum(logLevels), initial: 'info', about: `Log level: ${logLevels.join(', ')}.` }),
  trustedProxies: setting({
    type: list,
    initial: '',
    about: 'Addresses or networks of reverse proxies whose forwarding and client-certificate headers are believed.',
  }),
  issueWaitMs: setting({
    type: milliseconds,
    initial: '8000',
    about: 'How long an issue request waits for the certificate before it answers with the uuid alone.',
  }),
  acmeHttp01Port: setting({
    type: portNumber,
    initial: '80',
    about: 'Port that http-01 challenges are fetched from; another than 80 is for tests.',
  }),
  acmeTlsAlpn01Port: setting({
    type: portNumber,
    initial: '443',
    about: 'Port that tls-alpn-01 challenges connect to; another than 443 is for tests.',
  }),
  acmeDns: setting({
    type: resolverAddress,
    about: "Name server (ADDRESS:PORT) for ACME validation instead of the system's; an ACME profile may name its own.",
  }),
  egressAllowedHosts: setting({
    type: list,
    initial: '',
    about: 'Hosts that may be reached although their address class is refused (loopback, link-local).',
  }),
  egressOnlyHosts: setting({ type: list, initial: '', about: 'When set, no other host can be reached.' }),
} as const;

export type SettingName = keyof typeof settings;

/** The values in force. A setting without a default may be absent. */
export type Settings = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends { type: z.ZodType<infer Value, string> }
    ? (typeof settings)[Name] extends { readonly initial: string }
      ? Value
      : Value | undefined
    : never;
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

export const flagName = (name: SettingName): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const environmentName = (name: SettingName): string =>
  `SIGNETRY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
