// Files on this machine, below one directory specified by the operator.
import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { link, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { rejected } from '@signetry/connector-sdk';
import {
  COMMAND_MS,
  MachineError,
  MAX_FILE_OCTETS,
  outcomeOf,
  rightsOf,
  type CommandResult,
  type FileRights,
  type Machine,
} from './machine.ts';

/** Symbolic links are not followed, and opening a pipe does not block. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'part of the path is not a directory',
  EACCES: "permission denied; grant it to the platform's user",
  EPERM: "permission denied; grant it to the platform's user",
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is exceeded',
  ELOOP: 'it is a symbolic link; specify its target',
  EISDIR: 'it is a directory',
};

export function localMachine(directory: { readonly name: string; readonly path: string }): Machine {
  return {
    name: 'this machine',
    locate: (path) => locate(directory, path),
    read: (path) => attempt('read', path, () => read(path)),
    rights: (path) => attempt('read', path, () => rights(path)),
    write: (path, bytes, mode) => attempt('write', path, () => write(path, bytes, mode)),
    setOwner: (path, owner) => attempt('change the owner of', path, () => setOwner(path, owner)),
    link: (path, name) => attempt('keep', path, () => link(path, name)),
    rename: (from, to) => attempt('replace', to, () => rename(from, to)),
    remove: (path) => attempt('remove', path, () => rm(path, { force: true })),
    flushNames: (path) => attempt('flush the directory of', path, () => flushDirectory(dirname(path))),
    run,
    close: () => undefined,
  };
}

/**
 * Resolves all links in the path of the file's directory, so that no link leads outside the directory specified by the
 * operator.
 */
async function locate(directory: { readonly name: string; readonly path: string }, path: string): Promise<string> {
  const file = resolve(directory.path, path);
  const [root, parent] = await Promise.all(
    [directory.path, dirname(file)].map((each) => attempt('find', each, () => realpath(each))),
  );
  const inside = relative(root ?? '', parent ?? '');
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`))
    throw rejected(`"${path}" is outside the directory ${directory.name} (${directory.path}).`);
  return resolve(parent ?? '', relative(dirname(file), file));
}

async function read(path: string): Promise<Uint8Array | undefined> {
  let file;
  try {
    file = await open(path, READ);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new MachineError(`${path} is not a regular file`);
    if (stat.size > MAX_FILE_OCTETS) throw new MachineError(`${path} is larger than 1 MiB`);
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}

async function rights(path: string): Promise<FileRights | undefined> {
  try {
    return rightsOf(await lstat(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, CREATE, mode);
  try {
    await file.writeFile(bytes);
    await file.chmod(mode); // The process's umask must not apply.
    await file.sync();
  } finally {
    await file.close();
  }
}

async function setOwner(path: string, owner: string): Promise<void> {
  try {
    await promisify(execFile)('chown', ['-h', '--', owner, path], { timeout: COMMAND_MS });
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new MachineError(outcomeOf(`Cannot change the owner of ${path} to ${owner}`, printed));
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Runs the command in its own process group, which is killed as a whole, and without the platform's environment
 * variables.
 */
function run(command: string): Promise<CommandResult> {
  const { PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } = process.env;
  const child = spawn('/bin/sh', ['-c', command], {
    detached: true,
    env: { PATH, LANG: 'C' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve: settle } = Promise.withResolvers<CommandResult>();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_FILE_OCTETS);
    });
  const timer = setTimeout(() => {
    settle({ succeeded: false, outcome: `it did not finish within ${COMMAND_MS / 1_000} s` });
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, COMMAND_MS);
  child.on('error', (error) => settle({ succeeded: false, outcome: error.message }));
  // `exit` is used instead of `close`, because a server started by the command may keep the pipes open.
  child.on('exit', (code, signal) => {
    setImmediate(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      settle({ succeeded: code === 0, outcome: outcomeOf(code === null ? `${signal}` : `exit code ${code}`, output) });
    });
  });
  return promise.finally(() => clearTimeout(timer));
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

async function attempt<T>(what: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof MachineError || code === '') throw error;
    throw new MachineError(`Cannot ${what} ${path}: ${WORDS[code] ?? code}`);
  }
}
