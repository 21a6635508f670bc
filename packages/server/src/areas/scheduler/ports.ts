// What other areas connect here: kinds of jobs, with what a run of them does.
import type { Operation, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Objects that came of a run. */
export interface JobObjects {
  readonly resource: Resource;
  readonly uuids: readonly string[];
}

export interface JobRun {
  /** What the job was asked to do when it was created. */
  readonly request: unknown;
  readonly startedAt: Date;
  /** Of the user whose job it is, with the rights of this moment; of the platform for its own jobs. */
  readonly context: RequestContext;
  /** Refuses unless the user may call the operation with this body now. */
  assertMay(operation: Operation, body: unknown): Promise<void>;
  /**
   * The work goes on as these objects, which their area ends: within the transaction that makes them. The run then
   * outlives this node. Throws when the run was given up meanwhile.
   */
  handOver(tx: Executor, objects: JobObjects): Promise<void>;
}

export interface JobKind {
  /** Simple name of the class that clients of the interface know. */
  readonly jobType: string;
  /** A run whose node died is repeated: what it did until then does no harm. */
  readonly runsAgain: boolean;
  /** Returns what was done, in words; what it throws is why the run failed. */
  run(run: JobRun): Promise<string | undefined>;
}

export interface SystemJob extends JobKind {
  readonly name: string;
  /** When it runs as long as nobody changes that. */
  readonly cronExpression: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly status: 'succeeded' | 'failed';
  readonly message: string | null;
}
