// Existing processes and their programs, read from /proc on Linux, and elsewhere from `ps` for a known pid. Only
// world-readable files are used, because root in a container usually lacks CAP_SYS_PTRACE and then cannot read
// /proc/<pid>/cwd and exe of other users' processes.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Start time. Together with the pid it identifies a process, even if the pid is reused. */
  readonly start: string;
}

/**
 * Returns undefined if the process no longer exists. Zombies are treated as ended, because they hold no resources, even
 * if their parent never reaps them.
 */
export function findProcess(pid: number): ProcessEntry | undefined {
  return unlessDead(process.platform === 'linux' ? fromProc(pid) : fromPs(pid))?.entry;
}

interface FoundProcess {
  readonly entry: ProcessEntry;
  readonly state: string;
  /** The program's file name, truncated to 15 characters. */
  readonly name: string;
}

function unlessDead(found: FoundProcess | undefined): FoundProcess | undefined {
  return found === undefined || /^[ZX]/.test(found.state) ? undefined : found;
}

/**
 * Parses proc_pid_stat(5): `pid (name) state ppid ...`. The name can contain any character, so fields are counted from
 * the closing parenthesis after it.
 */
function fromProc(pid: number): FoundProcess | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parent] = fields;
  // Field 22, starttime in clock ticks since boot; `fields` does not include pid and name.
  const start = fields[19];
  if (state === undefined || start === undefined) return undefined;
  return { entry: { pid, parent: Number(parent), start }, state, name: stat.slice(stat.indexOf('(') + 1, nameEnd) };
}

function fromPs(pid: number): FoundProcess | undefined {
  const match = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(ps(pid, 'ppid=,stat=,lstart='));
  const [, parent, state, start] = match ?? [];
  if (state === undefined || start === undefined) return undefined;
  return { entry: { pid, parent: Number(parent), start }, state, name: ps(pid, 'ucomm=').trim() };
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-ww', '-o', columns, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

export function isSameProcess(entry: ProcessEntry): boolean {
  return findProcess(entry.pid)?.start === entry.start;
}

/** Returns all processes that run a program of this name. Linux only. */
export function processesNamed(name: string): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const process = unlessDead(fromProc(Number(pid)));
    if (process?.name === name) found.push(process.entry);
  }
  return found;
}

/** Returns whether the process belongs to this user. Linux only. */
export function belongsTo(pid: number, uid: bigint): boolean {
  return statProc(`/proc/${pid}`)?.uid === uid;
}

/**
 * Returns whether this directory is the process's working directory, compared by device and inode; false if access is
 * denied. Linux only.
 */
export function hasWorkingDirectory(pid: number, folder: BigIntStats): boolean {
  const found = statProc(`/proc/${pid}/cwd`);
  return found !== undefined && found.dev === folder.dev && found.ino === folder.ino;
}

/** Returns the command-line arguments, joined by spaces. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=').trim();
  return (readProc(`/proc/${pid}/cmdline`) ?? '').replace(/\0+$/, '').replaceAll('\0', ' ');
}

/** Returns undefined for processes that have ended or belong to other users. */
function statProc(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
