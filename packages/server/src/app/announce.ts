// Startup output: lines on the terminal, the run file for the command line, the ready file for other programs.
import { rm } from 'node:fs/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { OpenListeners } from './public-urls.ts';
import type { Areas } from './areas.ts';
import type { configurationRows } from './configuration.ts';
import { writePrivateFile, type DataDirectory } from './data-directory.ts';
import { ADMINISTRATOR, DEFAULT_ACME_PROFILE } from './default-names.ts';
import { listenerUrl } from './listeners.ts';
import type { Settings } from './settings.ts';
import type { MetricsAccess, SidePages } from './side-pages.ts';

export interface Announcement {
  /** Console URL. */
  readonly console: string;
  /** One-time sign-in link for an administrator; null if no administrator is enabled. */
  readonly signIn: string | null;
  /** Base URL of the management API. */
  readonly api: string;
  /** Directory URL of the ACME profile `default`; null if there is none or it is disabled. */
  readonly acmeDirectory: string | null;
  /** Path to the PEM root certificate. */
  readonly rootCertificate: string;
  readonly pid: number;
  readonly http: string | null;
  readonly https: string | null;
  /** URLs for the metrics and the API documentation; null if they are disabled. */
  readonly metrics: string | null;
  readonly metricsAccess: MetricsAccess;
  readonly docs: string | null;
  removeRunFile(): Promise<void>;
}

const RUN_TOKEN = 'command line';

export interface AnnounceOptions {
  readonly values: Pick<Settings, 'publicUrl' | 'httpServes'>;
  readonly areas: Areas;
  readonly directory: DataDirectory;
  readonly listeners: Readonly<OpenListeners>;
  readonly sidePages: SidePages;
  /** Warning shown above everything else. */
  readonly warning: string | undefined;
  readonly out: (line: string) => void;
}

export async function announce(options: AnnounceOptions): Promise<Announcement> {
  const { values, areas, directory, listeners, out } = options;
  const http = listeners.http ? listenerUrl('http', listeners.http) : null;
  const https = listeners.https ? listenerUrl('https', listeners.https) : null;
  // On loopback, plain HTTP is preferred: a browser would warn about the platform's own root, which is not trusted yet.
  const here = (values.httpServes === 'everything' ? http : null) ?? https;
  const base = values.publicUrl ?? here ?? '';
  const administrator = await areas.identity.findAdministrator(ADMINISTRATOR);
  const link = administrator && (await areas.identity.issueSignInLink(administrator.username));
  const signIn = link ? `${base}${link.path.reveal()}` : null;
  const announcement: Announcement = {
    console: base,
    signIn,
    api: `${here ?? base}/api`,
    acmeDirectory: (await areas.acmeProfiles.directoryOf(DEFAULT_ACME_PROFILE)) ?? null,
    rootCertificate: directory.rootCertificateFile,
    pid: process.pid,
    http,
    https,
    metrics: options.sidePages.urlOf('metrics', here ?? base),
    metricsAccess: options.sidePages.metricsAccess(),
    docs: options.sidePages.urlOf('docs', here ?? base),
    removeRunFile: () => rm(directory.runFile, { force: true }),
  };
  out('');
  out('Signetry is ready.');
  if (options.warning !== undefined) out(`\n  *** ${options.warning} ***`);
  out('');
  out(`  Console            ${base}`);
  out(
    `  Sign in (once)     ${signIn ?? 'no administrator is enabled; create one with POST /api/v1/local/admins on this machine'}`,
  );
  if (announcement.acmeDirectory !== null) out(`  ACME directory     ${announcement.acmeDirectory}`);
  out(`  Root certificate   ${directory.rootCertificateFile}`);
  out('');
  out('  Request a certificate in a second terminal:');
  out(`    ${certificateLine(directory)}`);
  out('');
  out('  Stop with Ctrl-C.');
  out('');
  return announcement;
}

/** Returns the command to copy; includes the data directory only if the command would not find it by default. */
function certificateLine(directory: DataDirectory): string {
  const usual = directory.root === `${process.cwd()}/data`;
  return `npm run --silent signetry -- certificate request localhost${usual ? '' : ` --data ${JSON.stringify(directory.root)}`}`;
}

/** Writes the platform's URL and an administrator's access token for the command line on this machine. */
export async function writeRunFile(
  directory: DataDirectory,
  facts: {
    readonly announcement: Announcement;
    readonly areas: Areas;
    /** Effective settings with secrets masked, for `signetry config`. */
    readonly settings: ReturnType<typeof configurationRows>;
    /** Recommended changes for administrators, for `signetry status`. */
    readonly warnings: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  const { announcement, areas, warnings } = facts;
  // Named after the data directory: two directories sharing a database must not revoke each other's token.
  const administrator = await areas.identity.findAdministrator(ADMINISTRATOR);
  const name = `${RUN_TOKEN} ${directory.root}`;
  const issued =
    administrator &&
    (await areas.identity.createAccessToken({
      username: administrator.username,
      name,
      replacesSameName: true,
      opensSessions: true,
    }));
  const { http, https, api, pid, rootCertificate, metrics, metricsAccess } = announcement;
  const startedAt = facts.now.toISOString();
  const { version } = manifest;
  const settings = facts.settings.map(({ about: _about, ...row }) => row);
  const token = issued?.token.reveal() ?? null;
  const addresses = { http, https, api, metrics, metricsAccess };
  const content = { pid, startedAt, version, ...addresses, token, rootCertificate, settings, warnings };
  await writePrivateFile(directory.runFile, `${JSON.stringify(content, null, 2)}\n`);
}

/** Writes the ready file atomically, for programs that start the platform and wait for it. */
export async function writeReadyFile(path: string, announcement: Announcement): Promise<void> {
  const { console, signIn, api, acmeDirectory, rootCertificate, pid, http, https } = announcement;
  await writePrivateFile(
    path,
    `${JSON.stringify({ console, signIn, api, acmeDirectory, rootCertificate, pid, http, https }, null, 2)}\n`,
  );
}
