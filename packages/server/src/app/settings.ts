// Every setting of the platform, declared once: name, type, default, and what it does. The command line, the
// environment, the file, the printed table and the reference page derive from this list, which is why it is long.
import { z } from 'zod';
import { isNetwork } from '../platform/net/discovery-egress.ts';
import { parseListedHost } from '../platform/net/listed-hosts.ts';
import type { Rate } from '../platform/limits/rate-limits.ts';
import { logLevels } from '../platform/logging/logger.ts';

const MAX_PORT = 65_535;
const hasPort = (text: string): boolean => Number(text.slice(text.lastIndexOf(':') + 1)) <= MAX_PORT;
const portMessage = `must have a port up to ${MAX_PORT}`;

/** `HOST:PORT`, with brackets around an IPv6 address; port 0 takes any free port; `off` closes the listener. */
const listenAddress = z
  .string()
  .regex(/^(?:off|(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):\d{1,5})$/, 'must be HOST:PORT, e.g. 127.0.0.1:8080, or off')
  .refine((text) => text === 'off' || hasPort(text), portMessage);
/** Where a page is served: `on` the ordinary listeners, nowhere (`off`), or on a listener of its own. */
const pagePlace = z
  .string()
  .regex(
    /^(?:on|off|(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):\d{1,5})$/,
    'must be on, off, or HOST:PORT for a listener of its own, e.g. 127.0.0.1:9090',
  )
  .refine((text) => text === 'on' || text === 'off' || hasPort(text), portMessage);
const metricsPlace = z.union([z.literal('token'), pagePlace], {
  error: 'must be token, on, off, or HOST:PORT for a separate listener, e.g. 127.0.0.1:9090',
});
const flag = z.stringbool();
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const hostList = list.refine(
  (hosts) => hosts.every((entry) => parseListedHost(entry) !== undefined),
  'must be hosts, or HOST:PORT with a port up to 65535, several separated by commas',
);
const settingList = list.pipe(
  z
    .array(z.string().regex(/^[a-z_.]+=.+$/, 'must be NAME=VALUE, several separated by commas'))
    .transform((items) =>
      Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
    ),
);
/** Values by the names that people choose them by. */
const byName = (value: string, message: string) =>
  list.pipe(
    z
      .array(z.string().regex(new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}=${value}$`), message))
      .transform((items) =>
        Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
      ),
  );
/** The paths are absolute, because libraries are code. */
export const pkcs11Libraries = byName(
  String.raw`(?:\/|[A-Za-z]:[\\/]).+`,
  'must be NAME=/PATH of a library, several separated by commas',
);
/** Networks that discoveries may scan. */
export const discoveryNetworks = list.refine(
  (networks) => networks.every(isNetwork),
  'must be networks such as 10.0.0.0/8, several separated by commas',
);
/** Directories that discoveries may search. */
export const discoveryDirectories = byName('/.*', 'must be NAME=/PATH of a directory, several separated by commas');
export const entityDirectories = byName('/.*', 'must be NAME=/PATH of a directory, several separated by commas');
export const entityReloadCommands = byName('.+', 'must be NAME=COMMAND, several separated by commas');
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'must be an http or https URL without query')
  .refine((text) => URL.canParse(text), `must be a URL with a host name and a port up to ${MAX_PORT}`)
  .transform((url) => url.replace(/\/+$/, ''));
/** Relying parties refuse other schemes for CRLs, OCSP and CA certificates (RFC 5280 §8). */
const plainHttpUrl = httpUrl.refine((url) => url.startsWith('http:'), 'must be an http URL, not https (RFC 5280 §8)');
const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().min(1).max(MAX_PORT, `must be a port up to ${MAX_PORT}`));
/** A name server, e.g. 192.0.2.53:53 or [2001:db8::53]:53; by address, since nothing could look up its name. */
const resolverAddress = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:.]+\]|\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, 'must be ADDRESS:PORT, e.g. 192.0.2.53:53')
  .refine(hasPort, portMessage)
  .transform((text) => {
    const at = text.lastIndexOf(':');
    return { address: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(at + 1)) };
  });
/** `COUNT/UNIT`, e.g. 300/minute; `off` for no limit. */
const rate = z
  .string()
  .regex(
    /^(?:off|[1-9]\d{0,8}\/(?:second|minute|hour))$/,
    'must be COUNT/UNIT with second, minute or hour, e.g. 300/minute, or off',
  )
  .transform((text): Rate | undefined => {
    if (text === 'off') return undefined;
    const [count = '', unit = ''] = text.split('/');
    return { count: Number(count), perS: UNIT_S[unit as keyof typeof UNIT_S] }; // one of the units of the pattern
  });
const UNIT_S = { second: 1, minute: 60, hour: 3_600 } as const;
const bound = z
  .string()
  .regex(/^(?:off|[1-9]\d{0,8})$/, 'must be a number, or off')
  .transform((text) => (text === 'off' ? Infinity : Number(text)));
const milliseconds = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of milliseconds up to 60000')
  .transform(Number)
  .pipe(z.number().max(60_000));
/** As messages and log lines write it, e.g. 2026-11-22T05:00:00.000Z. */
const instant = z.iso
  .datetime({ error: 'must be an instant in UTC, e.g. 2026-11-22T05:00:00.000Z' })
  .transform((text) => new Date(text));

const minutes = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a number of minutes from 1 to 1440')
  .transform(Number)
  .pipe(z.number().min(1).max(1_440));

const seconds = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of seconds from 1 to 86400')
  .transform(Number)
  .pipe(z.number().min(1).max(86_400));

const hours = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of hours from 1 to 720')
  .transform(Number)
  .pipe(z.number().min(1).max(720));

/** IANA name, e.g. Europe/Prague. */
const timeZone = z.string().refine(isTimeZone, 'must be the name of a time zone, e.g. Europe/Prague or UTC');

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

const percent = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a percentage from 0 to 100')
  .transform(Number)
  .pipe(z.number().max(100, 'must be a percentage from 0 to 100'));
/** Together with all attempts it has to end before the lease of a validation does. */
const testDelay = z
  .string()
  .regex(/^\d{1,2}$/, 'must be a number of seconds from 0 to 15')
  .transform(Number)
  .pipe(z.number().max(15, 'must be a number of seconds from 0 to 15'));

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
  httpServes: setting({
    type: z.enum(['everything', 'revocation']),
    initial: 'everything',
    about:
      'What the HTTP listener serves: everything, or revocation: only CRLs, OCSP, CA certificates and health; all else is on HTTPS.',
  }),
  https: setting({
    type: listenAddress,
    initial: '127.0.0.1:8443',
    about: "HTTPS listener (HOST:PORT or off) with the platform's own certificate.",
  }),
  publicUrl: setting({
    type: httpUrl,
    about: 'URL under which clients reach the platform.',
  }),
  revocationUrl: setting({
    type: plainHttpUrl,
    about:
      'http URL that certificates name for CRLs, OCSP and CA certificates, e.g. http://crl.example; when not set, it follows from the listeners and the public URL.',
  }),
  metrics: setting({
    type: metricsPlace,
    initial: 'token',
    about:
      'Where /metrics is served: token (both listeners, requires a token that can read settings), on (both listeners, open), off, or HOST:PORT for a separate HTTP listener.',
  }),
  docs: setting({
    type: pagePlace,
    initial: 'on',
    about: 'Where /api/docs and /api/openapi.json are served: on (both listeners), off, or HOST:PORT as for metrics.',
  }),
  databaseUrl: setting({
    type: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .refine(
        (text) => Number(/^\w+:\/\/(?:[^@/]*@)?[^/?]*:(\d+)(?:[/?]|$)/.exec(text)?.[1] ?? 0) <= MAX_PORT,
        portMessage,
      ),
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
    about: 'File with the keys that seal secrets at rest; created in the data directory when not set.',
  }),
  production: setting({
    type: flag,
    initial: 'false',
    switch: true,
    about:
      'Refuses generated defaults; needs --sealing-key-file. Implied by --database-url; then only --no-production turns it off.',
  }),
  readyFile: setting({
    type: z.string().min(1),
    about: 'File written (mode 0600) once the platform is ready: addresses, sign-in link, root certificate, pid.',
  }),
  logLevel: setting({ type: z.enum(logLevels), initial: 'info', about: `Log level: ${logLevels.join(', ')}.` }),
  trustedProxies: setting({
    type: list,
    initial: '',
    about: 'Addresses or networks of reverse proxies whose forwarding and client-certificate headers are trusted.',
  }),
  sessionIdleMinutes: setting({
    type: minutes,
    initial: '60',
    about: 'How long a browser session lives without use.',
  }),
  sessionHours: setting({
    type: hours,
    initial: '8',
    about: 'How long a browser session lives at most; then the user signs in again.',
  }),
  invitationHours: setting({
    type: hours,
    initial: '72',
    about: 'How long an invitation can be used.',
  }),
  issueWaitMs: setting({
    type: milliseconds,
    initial: '8000',
    about: 'How long an issue request waits for the certificate before it returns only the uuid.',
  }),
  discoveryDeadlineMinutes: setting({
    type: minutes,
    initial: '360',
    about: 'How long a discovery may run; then it ends with a warning, and can be resumed.',
  }),
  discoveryOutageSeconds: setting({
    type: seconds,
    initial: '600',
    about: 'How long the connector of a discovery may be out of reach before the discovery fails.',
  }),
  timeZone: setting({
    type: timeZone,
    initial: 'UTC',
    about: 'Time zone that the times of scheduled jobs are in, by its IANA name, e.g. Europe/Prague.',
  }),
  stopGraceMs: setting({
    type: milliseconds,
    initial: '5000',
    about:
      'How long a stop waits for connectors before it aborts calls to them; their operations continue after the next start.',
  }),
  acceptClock: setting({
    type: instant,
    about:
      'Accepts a journal entry of exactly this time, which is later than the clock, as written under a wrong clock, and signs again. Recorded in the audit log.',
  }),
  pkcs11Libraries: setting({
    type: pkcs11Libraries,
    initial: '',
    about:
      'PKCS#11 libraries that tokens may be on, NAME=PATH separated by commas, e.g. softhsm=/usr/lib/softhsm/libsofthsm2.so. No others are loaded.',
  }),
  discoveryNetworks: setting({
    type: discoveryNetworks,
    initial: '',
    about:
      'Networks that discoveries may scan, separated by commas, e.g. 10.0.0.0/8; without any, all public and private addresses. Loopback and link-local addresses only where a network of theirs is named.',
  }),
  discoveryDirectories: setting({
    type: discoveryDirectories,
    initial: '',
    about:
      'Directories of this machine that discoveries may search for certificates, NAME=PATH separated by commas, e.g. web=/etc/nginx. Files elsewhere are never read.',
  }),
  entityDirectories: setting({
    type: entityDirectories,
    initial: '',
    about:
      'Directories of this machine in which locations may have certificates and keys, NAME=PATH separated by commas, e.g. nginx=/etc/nginx/tls. Files elsewhere are never touched.',
  }),
  entityReloadCommands: setting({
    type: entityReloadCommands,
    initial: '',
    about:
      'Commands that locations may choose by name to make a server read its new certificate, NAME=COMMAND separated by commas, e.g. nginx=nginx -t && nginx -s reload. A shell of the machine with the files runs them; no others are run.',
  }),
  shutdownDelayMs: setting({
    type: milliseconds,
    about:
      'How long a stop keeps serving while readiness fails, so that load balancers stop sending requests: 5000 with --database-url, else 300.',
  }),
  acmeHttp01Port: setting({
    type: portNumber,
    initial: '80',
    about: 'Port that http-01 challenges are fetched from; other than 80 only for tests.',
  }),
  acmeTlsAlpn01Port: setting({
    type: portNumber,
    initial: '443',
    about: 'Port that tls-alpn-01 challenges connect to; other than 443 only for tests.',
  }),
  acmeDns: setting({
    type: resolverAddress,
    about: "Name server (ADDRESS:PORT) for ACME validation instead of the system's; an ACME profile may name its own.",
  }),
  intuneLoginUrl: setting({
    type: httpUrl,
    initial: 'https://login.microsoftonline.com',
    about:
      'Where the platform signs in to ask Microsoft Intune about SCEP requests; national clouds have their own, e.g. https://login.microsoftonline.us.',
  }),
  intuneGraphUrl: setting({
    type: httpUrl,
    initial: 'https://graph.microsoft.com',
    about:
      'Microsoft Graph, which tells where the services of Intune are; national clouds have their own, e.g. https://graph.microsoft.us.',
  }),
  intuneResourceUrl: setting({
    type: httpUrl,
    initial: 'https://api.manage.microsoft.com',
    about:
      'What access tokens for Microsoft Intune are for; national clouds have their own, e.g. https://api.manage.microsoft.us.',
  }),
  weakKeyLists: setting({
    type: z.string().min(1),
    about:
      'Folder with lists of keys that are certified for nobody, in the format of openssl-blacklist, e.g. those of CVE-2008-0166.',
  }),
  acmeTestBadNonces: setting({
    type: percent,
    initial: '0',
    about: 'Test mode for authors of ACME clients: percent of requests that are refused with badNonce at random.',
  }),
  acmeTestValidationDelay: setting({
    type: testDelay,
    initial: '0',
    about: 'Test mode for authors of ACME clients: seconds, up to 15, by which the validation of a challenge is late.',
  }),
  auditEndFile: setting({
    type: z.string().min(1),
    about:
      'File to which the end of the audit chain is appended, for `signetry audit verify --end`; best on another machine.',
  }),
  auditEndWebhook: setting({
    type: z
      .string()
      .regex(/^https?:\/\/[^\s]+$/, 'must be an http or https URL')
      .refine((text) => URL.canParse(text), `must be a URL with a host name and a port up to ${MAX_PORT}`),
    secret: true,
    about: 'URL to which the end of the audit chain, and reports of tampering, are posted as JSON.',
  }),
  auditEndMinutes: setting({
    type: minutes,
    initial: '60',
    about: 'How often the end of the audit chain is sent to the log, the file and the webhook.',
  }),
  egressAllowedHosts: setting({
    type: hostList,
    initial: '',
    about:
      'Hosts, by name or address, that the platform may connect to although their address range is blocked, e.g. 127.0.0.1:9000 for a local connector. Without a port, all ports are allowed, but only 80 and 443 for discoveries.',
  }),
  egressOnlyHosts: setting({
    type: hostList,
    initial: '',
    about: 'If set, the platform connects to no other hosts, and to hosts listed with a port only on that port.',
  }),
  limitConnections: setting({
    type: bound,
    initial: '2000',
    about: 'Open connections from one address to this node; those of trusted proxies are not counted.',
  }),
  limitFailedSignIns: setting({
    type: rate,
    initial: '300/minute',
    about:
      'Refused tokens, sessions, links, invitations and passkeys from one address, over all nodes. Valid credentials still pass.',
  }),
  limitFailedSignInsOfUser: setting({
    type: rate,
    initial: '20/hour',
    about:
      'Refused passkeys of one user from one address, over all nodes; beyond that no passkey of the user passes there. Other addresses are not concerned.',
  }),
  limitFailedEnrolments: setting({
    type: rate,
    initial: '300/minute',
    about:
      'Failed secrets, challenges and passwords over CMP, SCEP and EST from one address, across all nodes. Further failures are answered with a delay; valid credentials are still accepted.',
  }),
  limitFailedEnrolmentsOfProfile: setting({
    type: rate,
    initial: '60/minute',
    about:
      'Failed secrets, challenges and passwords for one profile from one address, across all nodes. Further failures are answered with a delay; valid credentials are still accepted.',
  }),
  limitPasskeyChallenges: setting({
    type: rate,
    initial: '300/minute',
    about: 'Sign-ins with a passkey that are begun from one address, on one node.',
  }),
  limitNewCredentials: setting({
    type: rate,
    initial: '60/minute',
    about: 'Access tokens, sign-in links, invitations and passkeys that one user creates, over all nodes.',
  }),
  limitRefusedChanges: setting({
    type: rate,
    initial: '600/minute',
    about: 'Changes requested without credentials from one address, on one node; beyond that 429 instead of 401.',
  }),
  limitConnectorRegistrations: setting({
    type: rate,
    initial: '20/hour',
    about: 'Connectors that announce themselves from one address, over all nodes. They wait for approval.',
  }),
  connectorSameKinds: setting({
    type: z.enum(['accept', 'refuse']),
    initial: 'accept',
    about: 'Whether a connector may offer exactly the function groups and kinds of another one: accept or refuse.',
  }),
  limitAcmeAccounts: setting({
    type: rate,
    initial: '5000/hour',
    about: 'New ACME accounts from one address, over all nodes.',
  }),
  limitAcmeOrders: setting({
    type: rate,
    initial: '10000/hour',
    about: 'ACME orders of one account, and from one address, that did not end in certificates, on one node.',
  }),
  limitAcmePendingOrders: setting({
    type: bound,
    initial: '10000',
    about: 'ACME orders of one account that are neither issued nor ended.',
  }),
  limitAcmeFailedValidations: setting({
    type: rate,
    initial: '60/hour',
    about: 'Failed ACME validations of one identifier by one account, on one node.',
  }),
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
