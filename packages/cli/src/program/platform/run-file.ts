// The run file, to which a running platform writes its URL and a token for the command line on the same machine. The
// token has administrator permissions, so the content is never printed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, codeOf } from '../failures.ts';

export interface RunFile {
  readonly pid: number;
  readonly startedAt: string;
  readonly http: string | null;
  readonly https: string | null;
  readonly api: string;
  readonly token: string;
  /** Path of the root certificate in PEM. */
  readonly rootCertificate: string | undefined;
  /** Product version. Absent from an older platform's run file, as are the settings. */
  readonly version: string | undefined;
  /** Effective settings, with secrets masked. */
  readonly settings: readonly RunningSetting[] | undefined;
  /** Configuration problems that an administrator should fix, one sentence each. */
  readonly warnings: readonly string[];
  /** Metrics URL; null if metrics are off. */
  readonly metrics: string | null;
  /**
   * Who can read metrics: `token`, `everybody`, `listener` (a separate one) or `off`. Absent from an older platform's
   * run file.
   */
  readonly metricsAccess: string | undefined;
}

export interface RunningSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

export const runFilePath = (directory: string): string => join(directory, 'run.json');

/** Returns a data directory's run file, or undefined if there is none. */
export async function readRunFile(directory: string): Promise<RunFile | undefined> {
  const path = runFilePath(directory);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new CliFailure(`Cannot read ${path}: it belongs to a different user.`, {
        exitCode: EXIT.denied,
        help: ['Run the command as the user that runs the platform, or specify --url and your own token.'],
        cause: error,
      });
    throw error;
  }
  const file = parseRunFile(text);
  if (file === undefined)
    throw new CliFailure(`Cannot read ${path}: it is not a run file of the platform.`, {
      help: ["Specify the platform's data directory with --data DIR."],
    });
  return file;
}

function parseRunFile(text: string): RunFile | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof content !== 'object' || content === null) return undefined;
  // The members are checked below.
  const { pid, startedAt, http, https, api, token, rootCertificate, version, settings, warnings, ...rest } =
    content as Record<string, unknown>;
  const { metrics, metricsAccess } = rest;
  if (typeof pid !== 'number' || !isUrl(api) || typeof token !== 'string' || typeof startedAt !== 'string')
    return undefined;
  return {
    pid,
    startedAt,
    api,
    token,
    http: isUrl(http) ? http : null,
    https: isUrl(https) ? https : null,
    rootCertificate: typeof rootCertificate === 'string' ? rootCertificate : undefined,
    version: typeof version === 'string' ? version : undefined,
    settings: Array.isArray(settings) && settings.every(isSetting) ? settings : undefined,
    metrics: isUrl(metrics) ? metrics : null,
    metricsAccess: typeof metricsAccess === 'string' ? metricsAccess : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [],
  };
}

function isSetting(row: unknown): row is RunningSetting {
  if (typeof row !== 'object' || row === null) return false;
  const { name, value, source } = row as Record<string, unknown>; // The members are checked on the next line.
  return [name, value, source].every((each) => typeof each === 'string');
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Returns whether a process with this ID is running, even if it belongs to a different user. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
