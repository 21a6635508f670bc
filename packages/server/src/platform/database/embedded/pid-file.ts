// Reads postmaster.pid, in which the server reports its state without a connection (PostgreSQL's miscadmin.h: line 1 is
// the pid, line 8 is one of "starting", "stopping", "ready", "standby").

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PID_FILE = 'postmaster.pid';

const STATUS_LINE = 8;

export interface PidFile {
  readonly pid: number;
  /** Empty until the server has written line 8. */
  readonly status: string;
}

export function readPidFile(cluster: string): PidFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, PID_FILE), 'latin1').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  return { pid, status: lines[STATUS_LINE - 1]?.trim() ?? '' };
}
