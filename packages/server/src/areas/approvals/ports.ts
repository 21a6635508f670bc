// What areas above connect here: those whose objects wait for approvals, and those whose objects use approval profiles.
import type { Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ApprovalRow } from './store.ts';

/** An approval that was decided, for the area of its object. */
export type DecidedApproval = Pick<ApprovalRow, 'uuid' | 'action' | 'object_uuid' | 'profile_name'>;

/** How it was decided. */
export interface Decision {
  readonly at: Date;
  /** In words, e.g. "Rejected by ann: not ours". */
  readonly message: string;
  readonly context: RequestContext;
}

/**
 * What the area of a resource does when an approval of one of its objects is closed. `onApproved` and `onRefused` are
 * part of the transaction that closes it, so that what was approved happens exactly once: they write down what is to be
 * done, and `goOn`, or whoever finds it after a crash, does it.
 */
export interface ApprovalSubject {
  readonly resource: Resource;
  /** As people know them; those that are deleted are left out. */
  namesOf(executor: Executor, objectUuids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  onApproved(tx: Executor, approval: DecidedApproval, decision: Decision): Promise<void>;
  /** Rejected or expired. */
  onRefused(tx: Executor, approval: DecidedApproval, decision: Decision): Promise<void>;
  /** After the commit of an approval. */
  goOn(): void;
}

/** Objects of a higher area that use approval profiles. */
export interface ApprovalProfileUse {
  readonly resource: Resource;
  /** In words, e.g. "RA profile". */
  readonly what: string;
  /** Who uses which of these profiles. */
  find(
    executor: Executor,
    profileUuids: readonly string[],
  ): Promise<readonly { readonly profileUuid: string; readonly uuid: string; readonly name: string }[]>;
}
