// Finds the platform that a command calls: one with a data directory on this machine, or one specified by URL. The
// token in a run file is sent only to the URLs in the same file.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { Context } from '../context.ts';
import { VARIABLES, variable } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import type { Flags, FlagValues } from '../command-line/command.ts';
import { findLoginContext, type LoginContext } from './login-contexts.ts';
import { readNamedFile } from './read-named-file.ts';
import { isAlive, readRunFile, runFilePath, type RunFile } from './run-file.ts';

export const connectionFlags = {
  context: { value: 'NAME', about: 'Context saved by `signetry login`' },
  data: { value: 'DIR', about: 'Data directory of the platform on this machine' },
  url: { value: 'URL', about: 'URL of the platform, e.g. https://ca.example:8443; requires a token' },
  'token-file': { value: 'FILE', about: 'File that contains the access token' },
  token: { value: 'TOKEN', about: 'Access token; visible to other users of this machine, so prefer --token-file' },
  ca: { value: 'FILE', about: "Root certificate (PEM) to trust instead of the system's roots" },
} as const satisfies Flags;

export type ConnectionFlags = FlagValues<typeof connectionFlags>;

export interface Platform {
  /** API base URL, without a trailing slash. */
  readonly api: string;
  readonly token: string;
  /** Certificates (PEM) to trust instead of the system's roots. */
  readonly trusted: readonly string[] | undefined;
  /** Content of the run file, if the platform was found on this machine. */
  readonly run: RunFile | undefined;
}

export async function findPlatform(flags: ConnectionFlags, context: Context): Promise<Platform> {
  if (flags.context !== undefined && (flags.url !== undefined || flags.data !== undefined))
    throw usageError('--context cannot be combined with --url or --data.');
  if (flags.context !== undefined)
    return platformOfContext(await requireContext(flags.context, context), { flags, context });
  // An explicit data directory takes precedence over environment variables.
  const url = flags.url ?? (flags.data === undefined ? variable(context.environment, 'url') : undefined);
  if (url !== undefined) return findByUrl(url, { flags, context });
  if (flags.data !== undefined) return findLocalPlatform(flags, context);
  const name = variable(context.environment, 'context');
  if (name !== undefined) return platformOfContext(await requireContext(name, context), { flags, context });
  if (variable(context.environment, 'data') !== undefined || (await findRunningPlatform(flags, context)) !== undefined)
    return findLocalPlatform(flags, context);
  const last = await findLoginContext(undefined, context);
  return last === undefined ? findLocalPlatform(flags, context) : platformOfContext(last, { flags, context });
}

async function requireContext(name: string, context: Context): Promise<LoginContext> {
  const found = await findLoginContext(name, context);
  if (found === undefined) throw usageError(`Context "${name}" not found.`);
  return found;
}

async function platformOfContext(
  { api, token: kept, ca }: LoginContext,
  { flags, context }: { flags: ConnectionFlags; context: Context },
): Promise<Platform> {
  const token = (await readGivenToken(flags, context)) ?? kept;
  assertToken(token);
  const named = await trustedCertificates(api, { flags, context, run: undefined });
  const trusted = named ?? (ca !== undefined && api.startsWith('https:') ? [ca] : undefined);
  return { api, token, trusted, run: undefined };
}

async function findLocalPlatform(flags: ConnectionFlags, context: Context): Promise<Platform> {
  const { directory, run } = await findRunFile(flags, context);
  if (run === undefined) throw notRunningError(`No platform is running on data directory ${directory}.`, directory);
  if (!isAlive(run.pid))
    throw notRunningError(
      `The platform on ${directory} is not running: process ${run.pid} in ${runFilePath(directory)} no longer exists.`,
      directory,
    );
  const token = (await readGivenToken(flags, context)) ?? run.token;
  assertToken(token);
  return { api: run.api, token, trusted: await trustedCertificates(run.api, { flags, context, run }), run };
}

const notRunningError = (message: string, directory: string): CliFailure =>
  new CliFailure(message, {
    exitCode: EXIT.unreachable,
    help: [
      `Start it with \`npm start\` in the clone, or \`signetry start --data ${directory}\`.`,
      'If it runs elsewhere, specify its data directory with --data DIR or its URL with --url URL.',
    ],
  });

/** Returns the run file and data directory of the platform running on this machine, or undefined if none is running. */
export async function findRunningPlatform(
  flags: Pick<ConnectionFlags, 'data'>,
  context: Context,
): Promise<{ directory: string; run: RunFile } | undefined> {
  const { directory, run } = await findRunFile(flags, context);
  return run !== undefined && isAlive(run.pid) ? { directory, run } : undefined;
}

/** Returns the first default data directory with a run file, or if there is none, the directory to name in messages. */
async function findRunFile(
  flags: Pick<ConnectionFlags, 'data'>,
  { environment, cwd, cloneFolder }: Context,
): Promise<{ directory: string; run: RunFile | undefined }> {
  const named = flags.data ?? variable(environment, 'data');
  const candidates =
    named === undefined
      ? [resolve(cwd, 'data'), ...(cloneFolder === undefined ? [] : [resolve(cloneFolder, 'data')])]
      : [resolve(cwd, named)];
  for (const directory of candidates) {
    const run = await readRunFile(directory);
    if (run !== undefined) return { directory, run };
  }
  return { directory: candidates[0] ?? cwd, run: undefined };
}

async function findByUrl(
  text: string,
  { flags, context }: { flags: ConnectionFlags; context: Context },
): Promise<Platform> {
  const api = parseApiUrl(text);
  // The URL may point to the platform on this machine; an unreadable run file does not matter in that case.
  const { run } = await findRunFile(flags, context).catch(() => ({ run: undefined }));
  const own = run !== undefined && originsOf(run).includes(new URL(api).origin) ? run : undefined;
  const token = (await readGivenToken(flags, context)) ?? variable(context.environment, 'token') ?? own?.token;
  if (token === undefined)
    throw usageError(
      `An access token is required for ${api}.`,
      `Specify one with --token-file FILE or ${VARIABLES.token}; \`signetry token create NAME\` on the platform's machine creates one.`,
    );
  assertToken(token);
  if (isExposed(api)) context.err(`signetry: warning: the token is sent to ${api} unencrypted. Use https.`);
  return { api, token, trusted: await trustedCertificates(api, { flags, context, run }), run: own };
}

/** Accepts `https://ca.example:8443`, with or without `/api`. */
function parseApiUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw usageError(`--url must be an http or https URL such as https://ca.example:8443, not "${text}".`);
  if (url.username !== '' || url.password !== '') throw usageError('--url must not contain a user name or password.');
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api') ? path : `${path}/api`}`;
}

const originsOf = ({ api, http, https }: RunFile): string[] =>
  [api, http, https].filter((address) => address !== null).map((address) => new URL(address).origin);

function isExposed(api: string): boolean {
  const { protocol, hostname } = new URL(api);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns the token specified on the command line. A token file can end with a line break. */
async function readGivenToken(flags: ConnectionFlags, { cwd }: Context): Promise<string | undefined> {
  const file = flags['token-file'];
  if (flags.token !== undefined && file !== undefined)
    throw usageError('--token and --token-file are mutually exclusive.');
  return file === undefined ? flags.token : (await readNamedFile('--token-file', { file, cwd })).trim();
}

/** Rejects a token that cannot be sent in a header: the error for an invalid header would quote the token. */
function assertToken(token: string): void {
  if (!/^[\x21-\x7E]+$/.test(token))
    throw usageError('The access token must be a single line of printable ASCII characters without spaces.');
}

/** Specified certificates replace the system's roots; the root of the local platform is added to them. */
async function trustedCertificates(
  api: string,
  facts: { flags: ConnectionFlags; context: Context; run: RunFile | undefined },
): Promise<readonly string[] | undefined> {
  const { flags, context, run } = facts;
  if (!api.startsWith('https:')) return undefined;
  if (flags.ca !== undefined) return [await readNamedFile('--ca', { file: flags.ca, cwd: context.cwd })];
  const root = run?.rootCertificate;
  if (root === undefined) return undefined;
  const certificate = await readFile(root, 'utf8').catch(() => undefined);
  return certificate === undefined ? undefined : [...getCACertificates('default'), certificate];
}
