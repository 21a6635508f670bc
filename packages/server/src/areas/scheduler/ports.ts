// Ports connected by other areas: kinds of jobs and their work.
import type { Operation, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Objects created by a run. */
export interface JobObjects {
  readonly resource: Resource;
  readonly uuids: readonly string[];
}

export interface JobRun {
  /** Parameters specified when the job was created. */
  readonly request: unknown;
  readonly startedAt: Date;
  /** Context of the job's user, with the user's current permissions; for platform jobs, of the platform. */
  readonly context: RequestContext;
  /** Rejects unless the user currently has permission to call the operation with this body. */
  assertMay(operation: Operation, body: unknown): Promise<void>;
  /**
   * Hands the run over to these objects, whose area ends it. Call in the transaction that creates them. The run then
   * outlives this node. Throws if the run was taken over in the meantime.
   */
  handOver(tx: Executor, objects: JobObjects): Promise<void>;
}

export interface JobKind {
  /** Job type known to API clients: a simple class name. */
  readonly jobType: string;
  /** Whether a run is repeated after its node crashed; partial work must then be harmless. */
  readonly runsAgain: boolean;
  /** Returns a description of the result; an error that it throws becomes the reason for the failure. */
  run(run: JobRun): Promise<string | undefined>;
}

export interface SystemJob extends JobKind {
  readonly name: string;
  /** Default schedule, until a user changes it. */
  readonly cronExpression: string;
}

/** Outcome of a run. */
export interface RunEnd {
  readonly status: 'succeeded' | 'failed';
  readonly message: string | null;
}
