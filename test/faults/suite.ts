// Interface of a fault test suite: how to put a part of the platform under load, and what must be true afterwards.
import type { Database } from '@signetry/server/database';
import type { FaultPointName } from '../../packages/server/src/kernel/fault-points.ts';
import type { ServerProcess } from '../load/server-process.ts';
import type { Violation } from './check-database.ts';

export interface Suite {
  readonly name: string;
  /** Additional arguments for every start. */
  readonly args: readonly string[];
  /** Declares the objects that the load needs, on a platform without faults. */
  readonly prepare?: (server: ServerProcess) => Promise<void>;
  /** Statements that expire the leases of dead nodes immediately. Lease durations are tested elsewhere. */
  readonly passLeases?: readonly string[];
  /** Named fault points that the load passes. */
  readonly points: readonly FaultPointName[];
  /** Puts the platform under load until the signal or until it is dead. Resumes the work of an earlier run. */
  load(server: ServerProcess, signal: AbortSignal): Promise<void>;
  /** Checks a platform that was restarted after a kill, after all work is settled. */
  check(server: ServerProcess, database: Database): Promise<Violation[]>;
  /** Query that counts pending work; zero when all work is settled. */
  readonly openWork: string;
  /** Names of planted faults that the checks do not detect, at the end. */
  missedFaults(server: ServerProcess, database: Database): Promise<string[]>;
  /** Summary of the work done so far, as text. */
  summary(): string;
  close(): Promise<void>;
}
