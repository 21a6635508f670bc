// Contexts saved by `signetry login`: named combinations of platform URL, token and trusted root. They are stored in a
// file that only the user can read.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { CliFailure, codeOf, usageError } from '../failures.ts';

export interface LoginContext {
  readonly api: string;
  readonly token: string;
  /** Root certificate in PEM, used instead of the system's roots. */
  readonly ca: string | undefined;
}

interface ContextFile {
  /** Context of the last login. */
  readonly current: string | undefined;
  readonly contexts: ReadonlyMap<string, LoginContext>;
}

/**
 * Returns `$XDG_CONFIG_HOME/signetry/contexts.json`, where the directory defaults to `~/.config`, or undefined if there
 * is no home directory.
 */
function contextFilePath({ environment }: Pick<Context, 'environment'>): string | undefined {
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  const folder = environment['XDG_CONFIG_HOME'] || (home && join(home, '.config'));
  return folder ? join(folder, 'signetry', 'contexts.json') : undefined;
}

/** Returns a context by name, or the context of the last login, if any. */
export async function findLoginContext(
  name: string | undefined,
  context: Pick<Context, 'environment'>,
): Promise<LoginContext | undefined> {
  const { current, contexts } = await readContexts(contextFilePath(context));
  if (name === undefined) return current === undefined ? undefined : contexts.get(current);
  const found = contexts.get(name);
  if (found) return found;
  const known = [...contexts.keys()].join(', ');
  throw usageError(
    `Context "${name}" not found.`,
    known === '' ? 'Create one with `signetry login`.' : `Contexts: ${known}. \`signetry login\` creates a new one.`,
  );
}

/** Saves a context, which becomes the context of the last login. Returns the path of the file. */
export async function saveLoginContext(
  name: string,
  { login, context }: { readonly login: LoginContext; readonly context: Pick<Context, 'environment'> },
): Promise<string> {
  const path = contextFilePath(context);
  if (path === undefined) throw usageError('Cannot save the context: no home directory. Set XDG_CONFIG_HOME.');
  const { contexts } = await readContexts(path);
  const next = { current: name, contexts: Object.fromEntries([...contexts, [name, login]]) };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The file is written atomically and is never readable by other users.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return path;
}

async function readContexts(path: string | undefined): Promise<ContextFile> {
  if (path === undefined) return { current: undefined, contexts: new Map() };
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return parseContexts(JSON.parse(text));
  } catch (cause) {
    throw new CliFailure(`Cannot read ${path}: it does not contain contexts.`, {
      help: ['Remove it and sign in again with `signetry login`.'],
      cause,
    });
  }
}

function parseContexts(content: unknown): ContextFile {
  const { current, contexts = {} } = content as Record<string, unknown>; // The members are validated below.
  const entries = Object.entries(contexts as object).flatMap(([name, each]): [string, LoginContext][] => {
    const { api, token, ca } = each as Record<string, unknown>; // The members are checked on the next line.
    if (typeof api !== 'string' || typeof token !== 'string') return [];
    return [[name, { api, token, ca: typeof ca === 'string' ? ca : undefined }]];
  });
  return { current: typeof current === 'string' ? current : undefined, contexts: new Map(entries) };
}
