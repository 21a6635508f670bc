// What the killing needs to know of a part of the platform: how it is put under load, and what must be true afterwards.
import type { Database } from '@signetry/server/database';
import type { FaultPointName } from '../../packages/server/src/kernel/fault-points.ts';
import type { ServerProcess } from '../load/server-process.ts';
import type { Violation } from './check-database.ts';

export interface Suite {
  readonly name: string;
  /** Further arguments of every start. */
  readonly args: readonly string[];
  /** Declares what the load needs, on a platform without faults. */
  readonly prepare?: (server: ServerProcess) => Promise<void>;
  /** Statements by which leases of what died are over at once: their length is tested elsewhere. */
  readonly passLeases?: readonly string[];
  /** Named points that its load passes. */
  readonly points: readonly FaultPointName[];
  /** Puts a platform under load until the signal, or until it is dead; continues what an earlier run left. */
  load(server: ServerProcess, signal: AbortSignal): Promise<void>;
  /** On a platform that was started after a kill, when everything is settled. */
  check(server: ServerProcess, database: Database): Promise<Violation[]>;
  /** Counts orders and challenges under way; zero when everything is settled. */
  readonly openWork: string;
  /** Names of planted faults that the checks do not find, at the end. */
  missedFaults(server: ServerProcess, database: Database): Promise<string[]>;
  /** What was done so far, in words. */
  summary(): string;
  close(): Promise<void>;
}
