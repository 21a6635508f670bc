// The server writes to an append-only file and not to a pipe, because it must outlive us: a pipe without a reader
// would end it at its next message. We read the file's growth, pass the lines on, and keep the file small.

import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';

import { directoryError } from './errors.ts';
import type { Log, LogLevel } from './log.ts';

/** Months of ordinary operation; at most twice this is on the disk. */
const LARGEST_FILE_BYTES = 4 * 1024 * 1024;
const POLL_MS = 1000;
const READ_BYTES = 64 * 1024;
/** What an error message quotes. */
const RECENT_LINES = 20;

export interface ServerLog {
  /** For the child's standard output and error. */
  readonly descriptor: number;
  /** Passes on what has been written since the last time. */
  catchUp(): void;
  /** Drops the lines remembered so far, so that an error quotes the current attempt only. */
  forget(): void;
  recentLines(): readonly string[];
  /** While the server is stopped on purpose, the message that it ends each connection is not a warning. */
  expectDisconnects(expected: boolean): void;
  [Symbol.dispose](): void;
}

export function openServerLog(file: string, log: Log): ServerLog {
  const descriptor = openLog(file);
  const recent: string[] = [];
  let position = fstatSync(descriptor).size;
  let unfinished = '';
  let level: LogLevel = 'debug';
  let disconnects = false;

  const passOn = (line: string): void => {
    const entry = readLine(line);
    // DETAIL, HINT and continuation lines belong to the message before them.
    level = entry.severity === undefined ? level : levelOf(entry.severity, disconnects);
    recent.push(entry.text);
    if (recent.length > RECENT_LINES) recent.shift();
    log(level, `postgres: ${entry.text}`, entry.pid === undefined ? undefined : { pid: entry.pid });
  };
  const catchUp = (): void => {
    // Somebody else may have cut the file.
    if (fstatSync(descriptor).size < position) position = 0;
    for (;;) {
      const chunk = Buffer.alloc(READ_BYTES);
      const length = readSync(descriptor, chunk, 0, READ_BYTES, position);
      if (length === 0) break;
      position += length;
      const lines = (unfinished + chunk.toString('utf8', 0, length)).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') passOn(line);
    }
    if (position > LARGEST_FILE_BYTES) {
      cut(descriptor, file);
      position = 0;
    }
  };
  const timer = setInterval(catchUp, POLL_MS).unref();
  let open = true;
  return {
    descriptor,
    catchUp,
    forget: () => void (recent.length = 0),
    recentLines: () => recent,
    expectDisconnects: (expected) => void (disconnects = expected),
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      clearInterval(timer);
      catchUp();
      closeSync(descriptor);
    },
  };
}

function openLog(file: string): number {
  try {
    return openSync(file, 'a+', 0o600);
  } catch (error) {
    throw directoryError(error, file);
  }
}

/** Copy and truncate: the server holds the file open, and appending continues at the new end. */
function cut(descriptor: number, file: string): void {
  const previous = `${file}.1`;
  try {
    copyFileSync(file, previous);
  } catch {
    // On a full disk half a copy is worth less than the space.
    rmSync(previous, { force: true });
  }
  ftruncateSync(descriptor, 0);
}

interface LogEntry {
  readonly text: string;
  readonly pid?: number;
  readonly severity?: string;
}

/** `2026-01-31 12:00:00.000 UTC [123] LOG:  message`, see LOG_LINE_PREFIX. */
function readLine(line: string): LogEntry {
  const match = /^\S+ \S+ \S+ \[(\d+)\] (?:(LOG|WARNING|ERROR|FATAL|PANIC): +)?(.*)$/.exec(line);
  if (match === null) return { text: line.trim() };
  const [, pid, severity, text = ''] = match;
  return {
    text: severity === undefined || severity === 'LOG' ? text : `${severity}: ${text}`,
    pid: Number(pid),
    ...(severity === undefined ? {} : { severity }),
  };
}

function levelOf(severity: string, disconnects: boolean): LogLevel {
  if (severity === 'PANIC') return 'error';
  if (severity === 'LOG') return 'debug';
  return severity === 'FATAL' && disconnects ? 'debug' : 'warn';
}
