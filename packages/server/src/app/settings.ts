// All platform settings, each declared once with its name, type, default and description. The command line,
// environment, file, printed table and reference page derive from this list, hence its length.
import { z } from 'zod';
import { isNetwork } from '../platform/net/discovery-egress.ts';
import { parseListedHost } from '../platform/net/listed-hosts.ts';
import type { Rate } from '../platform/limits/rate-limits.ts';
import { logLevels } from '../platform/logging/logger.ts';

const MAX_PORT = 65_535;
const hasPort = (text: string): boolean => Number(text.slice(text.lastIndexOf(':') + 1)) <= MAX_PORT;
const portMessage = `must have a port up to ${MAX_PORT}`;

/** `HOST:PORT`, with brackets around an IPv6 address; port 0 selects any free port; `off` closes the listener. */
const listenAddress = z
  .string()
  .regex(/^(?:off|(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):\d{1,5})$/, 'must be HOST:PORT, e.g. 127.0.0.1:8080, or off')
  .refine((text) => text === 'off' || hasPort(text), portMessage);
/** Where a page is served: `on` (ordinary listeners), `off` (nowhere), or a separate listener. */
const pagePlace = z
  .string()
  .regex(
    /^(?:on|off|(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):\d{1,5})$/,
    'must be on, off, or HOST:PORT for a separate listener, e.g. 127.0.0.1:9090',
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
/** SHA-256 fingerprints as OpenSSL or a browser shows them. */
const fingerprints = list
  .transform((items) => items.map((item) => item.replaceAll(':', '').toLowerCase()))
  .refine(
    (items) => items.every((item) => /^[0-9a-f]{64}$/.test(item)),
    'must be SHA-256 fingerprints of 64 hexadecimal digits, separated by commas',
  );
const hostList = list.refine(
  (hosts) => hosts.every((entry) => parseListedHost(entry) !== undefined),
  'must be hosts or HOST:PORT with a port up to 65535, separated by commas',
);
const settingList = list.pipe(
  z
    .array(z.string().regex(/^[a-z_.]+=.+$/, 'must be NAME=VALUE pairs separated by commas'))
    .transform((items) =>
      Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
    ),
);
/** Values by the names under which users select them. */
const byName = (value: string, message: string) =>
  list.pipe(
    z
      .array(z.string().regex(new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}=${value}$`), message))
      .transform((items) =>
        Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
      ),
  );
/** Paths must be absolute, because libraries contain code. */
export const pkcs11Libraries = byName(
  String.raw`(?:\/|[A-Za-z]:[\\/]).+`,
  'must be NAME=/PATH pairs of libraries, separated by commas',
);
/** Networks that discoveries can scan. */
export const discoveryNetworks = list.refine(
  (networks) => networks.every(isNetwork),
  'must be networks such as 10.0.0.0/8, separated by commas',
);
/** Directories that discoveries can search. */
export const discoveryDirectories = byName('/.*', 'must be NAME=/PATH pairs of directories, separated by commas');
export const entityDirectories = byName('/.*', 'must be NAME=/PATH pairs of directories, separated by commas');
export const entityReloadCommands = byName('.+', 'must be NAME=COMMAND pairs separated by commas');
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'must be an http or https URL without a query')
  .refine((text) => URL.canParse(text), `must be a URL with a host name and a port up to ${MAX_PORT}`)
  .transform((url) => url.replace(/\/+$/, ''));
/** Relying parties reject other schemes for CRLs, OCSP and CA certificates (RFC 5280 §8). */
const plainHttpUrl = httpUrl.refine((url) => url.startsWith('http:'), 'must be an http URL, not https (RFC 5280 §8)');
const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().min(1).max(MAX_PORT, `must be a port up to ${MAX_PORT}`));
/**
 * Name server, e.g. 192.0.2.53:53 or [2001:db8::53]:53. It must be an IP address, because there is nothing to resolve
 * its name with.
 */
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
    // The pattern matches only units that are in the table.
    return { count: Number(count), perS: UNIT_S[unit as keyof typeof UNIT_S] };
  });
const UNIT_S = { second: 1, minute: 60, hour: 3_600 } as const;
const bound = z
  .string()
  .regex(/^(?:off|[1-9]\d{0,8})$/, 'must be a number or off')
  .transform((text) => (text === 'off' ? Infinity : Number(text)));
const milliseconds = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of milliseconds up to 60000')
  .transform(Number)
  .pipe(z.number().max(60_000));
/** Timestamp as in messages and log lines, e.g. 2026-11-22T05:00:00.000Z. */
const instant = z.iso
  .datetime({ error: 'must be a UTC timestamp, e.g. 2026-11-22T05:00:00.000Z' })
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

/** IANA time zone, e.g. Europe/Prague. */
const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Prague or UTC');

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
/** The limit ensures that a validation, including all attempts, completes before its lease expires. */
const testDelay = z
  .string()
  .regex(/^\d{1,2}$/, 'must be a number of seconds from 0 to 15')
  .transform(Number)
  .pipe(z.number().max(15, 'must be a number of seconds from 0 to 15'));

export interface SettingFacts<Value = unknown> {
  /** Type and validation; flags, environment and file all supply text. */
  readonly type: z.ZodType<Value, string>;
  /** Text form of the default; absent if there is none. */
  readonly initial?: string;
  readonly about: string;
  /** Whether the value is masked when displayed. */
  readonly secret?: true;
  /** Whether the setting is a command-line flag that requires no value. */
  readonly switch?: true;
}

/** Preserves in the type whether a setting has a default; a setting without a default can be absent. */
const setting = <Value, const Facts extends SettingFacts<Value>>(facts: Facts & SettingFacts<Value>): Facts => facts;

/**
 * Settings by their names in the file. Their names are `--kebab-case` on the command line and `SIGNETRY_UPPER_CASE` in
 * the environment.
 */
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
      'Content of the HTTP listener: everything, or revocation (only CRLs, OCSP, CA certificates and health; everything else requires HTTPS).',
  }),
  https: setting({
    type: listenAddress,
    initial: '127.0.0.1:8443',
    about: "HTTPS listener (HOST:PORT or off) with the platform's own certificate.",
  }),
  scepHttps: setting({
    type: listenAddress,
    initial: 'off',
    about:
      'Additional HTTPS listener for SCEP only (HOST:PORT or off), which does not request client certificates: some systems cannot renew over TLS connections on which the server requests one.',
  }),
  publicUrl: setting({
    type: httpUrl,
    about: 'URL at which clients reach the platform.',
  }),
  scepUrl: setting({
    type: httpUrl,
    about:
      'URL at which SCEP devices reach the platform, e.g. http://pki.example. Default: that of --scep-https, or else of the plain HTTP listener if devices can reach it, or else the public URL. Required behind a proxy.',
  }),
  revocationUrl: setting({
    type: plainHttpUrl,
    about:
      'http URL in certificates for CRLs, OCSP and CA certificates, e.g. http://crl.example. Default: derived from the listeners and the public URL.',
  }),
  metrics: setting({
    type: metricsPlace,
    initial: 'token',
    about:
      'Where /metrics is served: token (both listeners, requires a token with permission to read settings), on (both listeners, open), off, or HOST:PORT for a separate HTTP listener.',
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
    about: 'Settings of the embedded PostgreSQL, as NAME=VALUE pairs separated by commas, e.g. shared_buffers=512MB.',
  }),
  sealingKeyFile: setting({
    type: z.string().min(1),
    about: 'File with the keys that seal secrets at rest. Default: created in the data directory.',
  }),
  production: setting({
    type: flag,
    initial: 'false',
    switch: true,
    about:
      'Reject generated defaults and require --sealing-key-file. Implied by --database-url; only --no-production then disables it.',
  }),
  readyFile: setting({
    type: z.string().min(1),
    about: 'File written (mode 0600) once the platform is ready: URLs, sign-in link, root certificate, PID.',
  }),
  logLevel: setting({ type: z.enum(logLevels), initial: 'info', about: `Log level: ${logLevels.join(', ')}.` }),
  trustedProxies: setting({
    type: list,
    initial: '',
    about:
      'Addresses or networks of reverse proxies whose forwarding and client-certificate headers are trusted. A client certificate on a connection from these addresses is used only if the request has no such header.',
  }),
  proxyCertificates: setting({
    type: fingerprints,
    initial: '',
    about:
      'SHA-256 fingerprints of the TLS client certificates with which trusted proxies connect to the platform, separated by commas. These certificates never identify a client.',
  }),
  sessionIdleMinutes: setting({
    type: minutes,
    initial: '60',
    about: 'Idle timeout of a browser session.',
  }),
  sessionHours: setting({
    type: hours,
    initial: '8',
    about: 'Maximum lifetime of a browser session; the user must then sign in again.',
  }),
  invitationHours: setting({
    type: hours,
    initial: '72',
    about: 'Validity period of an invitation.',
  }),
  issueWaitMs: setting({
    type: milliseconds,
    initial: '8000',
    about: 'How long an issue request waits for the certificate before it returns only the UUID.',
  }),
  discoveryDeadlineMinutes: setting({
    type: minutes,
    initial: '360',
    about: 'Maximum duration of a discovery; it then ends with a warning and can be resumed.',
  }),
  discoveryOutageSeconds: setting({
    type: seconds,
    initial: '600',
    about: "How long a discovery's connector can be unreachable before the discovery fails.",
  }),
  timeZone: setting({
    type: timeZone,
    initial: 'UTC',
    about: 'IANA time zone of scheduled jobs, e.g. Europe/Prague.',
  }),
  stopGraceMs: setting({
    type: milliseconds,
    initial: '5000',
    about:
      'How long shutdown waits for in-flight connector calls before aborting them; pending operations resume after the next start.',
  }),
  acceptClock: setting({
    type: instant,
    about:
      'Accept a journal entry with exactly this timestamp, which is in the future, as written under a wrong clock, and resume signing. Recorded in the audit log.',
  }),
  pkcs11Libraries: setting({
    type: pkcs11Libraries,
    initial: '',
    about:
      'PKCS #11 libraries for tokens, as NAME=PATH pairs separated by commas, e.g. softhsm=/usr/lib/softhsm/libsofthsm2.so. No other libraries are loaded.',
  }),
  discoveryNetworks: setting({
    type: discoveryNetworks,
    initial: '',
    about:
      'Networks that discoveries can scan, separated by commas, e.g. 10.0.0.0/8. Default: all public and private addresses. Loopback and link-local networks must be listed explicitly. The platform never scans its own listeners.',
  }),
  discoveryDirectories: setting({
    type: discoveryDirectories,
    initial: '',
    about:
      'Directories on this machine that discoveries can search for certificates, as NAME=PATH pairs separated by commas, e.g. web=/etc/nginx. Files elsewhere are never read.',
  }),
  entityDirectories: setting({
    type: entityDirectories,
    initial: '',
    about:
      'Directories on this machine in which locations can store certificates and keys, as NAME=PATH pairs separated by commas, e.g. nginx=/etc/nginx/tls. Files elsewhere are never modified.',
  }),
  entityReloadCommands: setting({
    type: entityReloadCommands,
    initial: '',
    about:
      "Commands that locations can select by name to reload a server's certificate, as NAME=COMMAND pairs separated by commas, e.g. nginx=nginx -t && nginx -s reload. A shell on the machine with the files runs them; no other commands are run.",
  }),
  shutdownDelayMs: setting({
    type: milliseconds,
    about:
      'How long shutdown keeps serving while readiness fails, so that load balancers stop sending requests. Default: 5000 with --database-url, otherwise 300.',
  }),
  acmeHttp01Port: setting({
    type: portNumber,
    initial: '80',
    about: 'Port from which http-01 challenges are fetched; values other than 80 are for tests only.',
  }),
  acmeTlsAlpn01Port: setting({
    type: portNumber,
    initial: '443',
    about: 'Port to which tls-alpn-01 validation connects; values other than 443 are for tests only.',
  }),
  acmeDns: setting({
    type: resolverAddress,
    about:
      'Name server (ADDRESS:PORT) for ACME validation, instead of the system resolver; ACME profiles can override it.',
  }),
  intuneLoginUrl: setting({
    type: httpUrl,
    initial: 'https://login.microsoftonline.com',
    about:
      'Microsoft login URL for checking SCEP requests with Microsoft Intune; national clouds have their own, e.g. https://login.microsoftonline.us.',
  }),
  intuneGraphUrl: setting({
    type: httpUrl,
    initial: 'https://graph.microsoft.com',
    about:
      'Microsoft Graph URL, used to discover the Intune services; national clouds have their own, e.g. https://graph.microsoft.us.',
  }),
  intuneResourceUrl: setting({
    type: httpUrl,
    initial: 'https://api.manage.microsoft.com',
    about:
      'Resource for which Microsoft Intune access tokens are requested; national clouds have their own, e.g. https://api.manage.microsoft.us.',
  }),
  weakKeyLists: setting({
    type: z.string().min(1),
    about:
      'Folder with lists of weak keys, in openssl-blacklist format, e.g. for CVE-2008-0166. No certificates are issued for these keys.',
  }),
  acmeTestBadNonces: setting({
    type: percent,
    initial: '0',
    about: 'Test mode for ACME client developers: percentage of requests that are randomly rejected with badNonce.',
  }),
  acmeTestValidationDelay: setting({
    type: testDelay,
    initial: '0',
    about: 'Test mode for ACME client developers: delay in seconds, up to 15, before challenge validation.',
  }),
  auditEndFile: setting({
    type: z.string().min(1),
    about:
      'File to which audit log heads are appended, for `signetry audit verify --end`; preferably on a different machine.',
  }),
  auditEndWebhook: setting({
    type: z
      .string()
      .regex(/^https?:\/\/[^\s]+$/, 'must be an http or https URL')
      .refine((text) => URL.canParse(text), `must be a URL with a host name and a port up to ${MAX_PORT}`),
    secret: true,
    about: 'URL to which audit log heads and reports of tampering are posted as JSON.',
  }),
  auditEndMinutes: setting({
    type: minutes,
    initial: '60',
    about: 'How often the audit log head is sent to the log, the file and the webhook.',
  }),
  egressAllowedHosts: setting({
    type: hostList,
    initial: '',
    about:
      'Hosts, by name or address, that the platform can connect to even if their address range is blocked, e.g. 127.0.0.1:9000 for a local connector. Without a port, all ports are allowed, but only 80 and 443 for discoveries.',
  }),
  egressOnlyHosts: setting({
    type: hostList,
    initial: '',
    about:
      'If set, the platform connects only to these hosts; hosts listed with a port are reachable only on that port.',
  }),
  limitConnections: setting({
    type: bound,
    initial: '2000',
    about:
      'Limit on open connections per client address, on each node; connections from trusted proxies are not counted.',
  }),
  limitFailedSignIns: setting({
    type: rate,
    initial: '300/minute',
    about:
      'Limit on rejected tokens, sessions, links, invitations and passkeys per client address, across all nodes. Valid credentials are still accepted.',
  }),
  limitFailedSignInsOfUser: setting({
    type: rate,
    initial: '20/hour',
    about:
      'Limit on rejected passkeys per user and client address, across all nodes. Beyond it, no passkey of the user is accepted from that address; other addresses are not affected.',
  }),
  limitFailedEnrollments: setting({
    type: rate,
    initial: '300/minute',
    about:
      'Limit on failed secrets, challenges and passwords over CMP, SCEP and EST per client address, across all nodes. Responses to further failures are delayed; valid credentials are still accepted.',
  }),
  limitFailedEnrollmentsOfProfile: setting({
    type: rate,
    initial: '60/minute',
    about:
      'Limit on failed secrets, challenges and passwords per profile and client address, across all nodes. Responses to further failures are delayed; valid credentials are still accepted.',
  }),
  limitPasskeyChallenges: setting({
    type: rate,
    initial: '300/minute',
    about: 'Limit on passkey sign-ins started per client address, on each node.',
  }),
  limitNewCredentials: setting({
    type: rate,
    initial: '60/minute',
    about: 'Limit on access tokens, sign-in links, invitations and passkeys created per user, across all nodes.',
  }),
  limitRefusedChanges: setting({
    type: rate,
    initial: '600/minute',
    about:
      'Limit on changes requested without credentials per client address, on each node; beyond it, 429 instead of 401.',
  }),
  limitConnectorRegistrations: setting({
    type: rate,
    initial: '20/hour',
    about: 'Limit on connectors that register themselves per client address, across all nodes. They require approval.',
  }),
  connectorSameKinds: setting({
    type: z.enum(['accept', 'refuse']),
    initial: 'accept',
    about:
      'Whether a connector can offer exactly the same function groups and kinds as another connector: accept or refuse.',
  }),
  limitAcmeAccounts: setting({
    type: rate,
    initial: '5000/hour',
    about: 'Limit on new ACME accounts per client address, across all nodes.',
  }),
  limitAcmeOrders: setting({
    type: rate,
    initial: '10000/hour',
    about:
      'Limit on ACME orders that did not result in certificates, per account and per client address, on each node.',
  }),
  limitAcmePendingOrders: setting({
    type: bound,
    initial: '10000',
    about: 'Limit on unfinished ACME orders per account.',
  }),
  limitAcmeFailedValidations: setting({
    type: rate,
    initial: '60/hour',
    about: 'Limit on failed ACME validations per identifier and account, on each node.',
  }),
} as const;

export type SettingName = keyof typeof settings;

/** Effective values. A setting without a default can be absent. */
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
