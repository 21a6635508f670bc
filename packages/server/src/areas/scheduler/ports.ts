// Ports that other areas connect: kinds of jobs and the work that they perform.
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
  /** Context of the job's user, with the user's current permissions; for platform jobs, the platform's context. */
  readonly context: RequestContext;
  /** Rejects unless the user currently has permission to call the operation with this request body. */
  assertMay(operation: Operation, body: unknown): Promise<void>;
  /**
   * Hands the run over to these objects; the area that owns them ends the run. Must be called in the transaction that
   * creates the objects. The run can then outlive this node. Throws if the run has been taken over in the meantime.
   */
  handOver(tx: Executor, objects: JobObjects): Promise<void>;
}

export interface JobKind {
  /** Job type known to API clients: a simple class name. */
  readonly jobType: string;
  /** Whether a run is repeated after its node has crashed. If so, a partially completed run must be harmless. */
  readonly runsAgain: boolean;
  /** Returns a description of the result. If it throws an error, the error becomes the reason for the failure. */
  run(run: JobRun): Promise<string | undefined>;
}

export interface SystemJob extends JobKind {
  readonly name: string;
  /** Default schedule, used until a user changes it. */
  readonly cronExpression: string;
}

/** Outcome of a run. */
export interface RunEnd {
  readonly status: 'succeeded' | 'failed';
  readonly message: string | null;
}
