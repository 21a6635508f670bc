// Which processes exist and what they run: from /proc on Linux, for one known pid from `ps` elsewhere.
// Only files that everybody may read are relied on: root in a container usually lacks CAP_SYS_PTRACE, and then
// /proc/<pid>/cwd and exe of another user's process are closed to it.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** When it started. Together with the pid it names one process, also when the pid is used again. */
  readonly start: string;
}

/** Undefined when the process is gone. A zombie is gone: it holds nothing, even when its parent never collects it. */
export function findProcess(pid: number): ProcessEntry | undefined {
  return alive(process.platform === 'linux' ? fromProc(pid) : fromPs(pid))?.entry;
}

interface FoundProcess {
  readonly entry: ProcessEntry;
  readonly state: string;
  /** The file name of its program, cut to 15 characters. */
  readonly name: string;
}

function alive(found: FoundProcess | undefined): FoundProcess | undefined {
  return found === undefined || /^[ZX]/.test(found.state) ? undefined : found;
}

/** proc_pid_stat(5): `pid (name) state ppid ...`. The name may hold anything, so count from its closing parenthesis. */
function fromProc(pid: number): FoundProcess | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parent] = fields;
  // Field 22, starttime in clock ticks since boot; pid and name are cut off here.
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

/** All processes that run a program of this name. Linux only. */
export function processesNamed(name: string): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const process = alive(fromProc(Number(pid)));
    if (process?.name === name) found.push(process.entry);
  }
  return found;
}

/** Whether the process belongs to this user. Linux only. */
export function belongsTo(pid: number, uid: bigint): boolean {
  return statProc(`/proc/${pid}`)?.uid === uid;
}

/** Whether this very folder is its working directory, by device and inode; false when we may not know. Linux only. */
export function standsIn(pid: number, folder: BigIntStats): boolean {
  const found = statProc(`/proc/${pid}/cwd`);
  return found !== undefined && found.dev === folder.dev && found.ino === folder.ino;
}

/** The words of the command line, joined by spaces. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=').trim();
  return (readProc(`/proc/${pid}/cmdline`) ?? '').replace(/\0+$/, '').replaceAll('\0', ' ');
}

/** Undefined for processes that ended or belong to others. */
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
