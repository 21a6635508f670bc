// What a start reports: lines on the terminal, the run file for the command line, the ready file for other programs.
import { rm } from 'node:fs/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { OpenListeners } from './addresses.ts';
import type { Areas } from './areas.ts';
import type { configurationRows } from './configuration.ts';
import { writePrivateFile, type DataDirectory } from './data-directory.ts';
import { ADMINISTRATOR, DEFAULT_ACME_PROFILE } from './default-names.ts';
import { listenerUrl } from './listeners.ts';
import type { Settings } from './settings.ts';
import type { MetricsAccess, SidePages } from './side-pages.ts';

export interface Announcement {
  /** Address of the console for people. */
  readonly console: string;
  /** One-time sign-in link of an administrator; null when no administrator is enabled. */
  readonly signIn: string | null;
  /** Base address of the management interface. */
  readonly api: string;
  /** Directory of the ACME profile `default`; null when there is none or it is disabled. */
  readonly acmeDirectory: string | null;
  /** Path of the root certificate in PEM. */
  readonly rootCertificate: string;
  readonly pid: number;
  readonly http: string | null;
  readonly https: string | null;
  /** Address of the metrics, address of the API documentation; null where they are off. */
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
  /** Shown above everything else. */
  readonly warning: string | undefined;
  readonly out: (line: string) => void;
}

export async function announce(options: AnnounceOptions): Promise<Announcement> {
  const { values, areas, directory, listeners, out } = options;
  const http = listeners.http ? listenerUrl('http', listeners.http) : null;
  const https = listeners.https ? listenerUrl('https', listeners.https) : null;
  // Plain HTTP on loopback: a browser would warn about our own root, which nobody trusts yet.
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
  out('  Get a certificate, in another terminal:');
  out(`    ${certificateLine(directory)}`);
  out('');
  out('  Stop with Ctrl-C.');
  out('');
  return announcement;
}

/** The line to copy; it names the data directory only where the command would not find it by itself. */
function certificateLine(directory: DataDirectory): string {
  const usual = directory.root === `${process.cwd()}/data`;
  return `npm run --silent signetry -- certificate request localhost${usual ? '' : ` --data ${JSON.stringify(directory.root)}`}`;
}

/** Gives the command line on this machine the address of the platform and a token of the administrator. */
export async function writeRunFile(
  directory: DataDirectory,
  facts: {
    readonly announcement: Announcement;
    readonly areas: Areas;
    /** In force, secrets masked; for `signetry config`. */
    readonly settings: ReturnType<typeof configurationRows>;
    /** What an administrator should change; for `signetry status`. */
    readonly warnings: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  const { announcement, areas, warnings } = facts;
  // Named after the data directory: two directories over one database must not revoke each other's token.
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

/** For programs that start the platform and wait for it; written atomically. */
export async function writeReadyFile(path: string, announcement: Announcement): Promise<void> {
  const { console, signIn, api, acmeDirectory, rootCertificate, pid, http, https } = announcement;
  await writePrivateFile(
    path,
    `${JSON.stringify({ console, signIn, api, acmeDirectory, rootCertificate, pid, http, https }, null, 2)}\n`,
  );
}
