// The run file, in which a running platform puts its address and a token for the command line on its machine. It is an
// administrator's token: the content is never printed.
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
  /** Of the product. Absent from the run file of an older platform, as are the settings. */
  readonly version: string | undefined;
  /** In force; secrets masked. */
  readonly settings: readonly RunningSetting[] | undefined;
  /** What an administrator should change, a sentence each. */
  readonly warnings: readonly string[];
  /** Address of the metrics; null where they are off. */
  readonly metrics: string | null;
  /** Who gets them: `token`, `everybody`, `listener` (of their own) or `off`. Absent from that of an older platform. */
  readonly metricsAccess: string | undefined;
}

export interface RunningSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

export const runFilePath = (directory: string): string => join(directory, 'run.json');

/** The run file of a data directory, or undefined when there is none. */
export async function readRunFile(directory: string): Promise<RunFile | undefined> {
  const path = runFilePath(directory);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new CliFailure(`The file ${path} belongs to another user.`, {
        exitCode: EXIT.denied,
        help: ['Run the command as the user that runs the platform, or name it with --url and your own token.'],
        cause: error,
      });
    throw error;
  }
  const file = parseRunFile(text);
  if (file === undefined)
    throw new CliFailure(`The file ${path} is not a run file of the platform.`, {
      help: ['Name the data directory of the platform with --data DIR.'],
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
  // checked below
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
  const { name, value, source } = row as Record<string, unknown>; // checked here
  return [name, value, source].every((each) => typeof each === 'string');
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Whether a process with this id runs, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
