// The server writes its log to an append-only file instead of a pipe, because it must outlive this process: writing to
// a pipe without a reader would end it. New content of the file is read and logged, and the file is kept small.

import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';

import { directoryError } from './errors.ts';
import type { Log, LogLevel } from './log.ts';

/** Size at which the file is truncated, after months of regular operation. At most twice this size is on disk. */
const LARGEST_FILE_BYTES = 4 * 1024 * 1024;
const POLL_MS = 1000;
const READ_BYTES = 64 * 1024;
/** Number of lines quoted in an error message. */
const RECENT_LINES = 20;

export interface ServerLog {
  /** File descriptor for the child's standard output and error. */
  readonly descriptor: number;
  /** Logs everything written since the last call. */
  catchUp(): void;
  /** Discards the remembered lines, so that an error quotes only the current attempt. */
  forget(): void;
  recentLines(): readonly string[];
  /** While the server is being stopped intentionally, messages about closed connections are not logged as warnings. */
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

  const forwardLine = (line: string): void => {
    const entry = readLine(line);
    // DETAIL, HINT and continuation lines belong to the preceding message.
    level = entry.severity === undefined ? level : levelOf(entry.severity, disconnects);
    recent.push(entry.text);
    if (recent.length > RECENT_LINES) recent.shift();
    log(level, `postgres: ${entry.text}`, entry.pid === undefined ? undefined : { pid: entry.pid });
  };
  const catchUp = (): void => {
    // Another process may have truncated the file.
    if (fstatSync(descriptor).size < position) position = 0;
    for (;;) {
      const chunk = Buffer.alloc(READ_BYTES);
      const length = readSync(descriptor, chunk, 0, READ_BYTES, position);
      if (length === 0) break;
      position += length;
      const lines = (unfinished + chunk.toString('utf8', 0, length)).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') forwardLine(line);
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

/** Copies and truncates the file: the server keeps it open and continues to append at the new end. */
function cut(descriptor: number, file: string): void {
  const previous = `${file}.1`;
  try {
    copyFileSync(file, previous);
  } catch {
    // On a full disk, the free space is worth more than a partial copy.
    rmSync(previous, { force: true });
  }
  ftruncateSync(descriptor, 0);
}

interface LogEntry {
  readonly text: string;
  readonly pid?: number;
  readonly severity?: string;
}

/** Parses a line such as `2026-01-31 12:00:00.000 UTC [123] LOG:  message`, see LOG_LINE_PREFIX. */
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
