// Ports for higher areas: those whose objects wait for approvals, and those whose objects use approval profiles.
import type { Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ApprovalRow } from './store.ts';

/** A decided approval, as passed to the area that owns its object. */
export type DecidedApproval = Pick<ApprovalRow, 'uuid' | 'action' | 'object_uuid' | 'profile_name'>;

/** Outcome of an approval. */
export interface Decision {
  readonly at: Date;
  /** Description, e.g. "Rejected by ann: not ours". */
  readonly message: string;
  readonly context: RequestContext;
}

/**
 * Effects of a closed approval in the area of its object. `onApproved` and `onRejected` run in the transaction that
 * closes it, so that an approved operation runs exactly once: they record the work, which `goOn`, or recovery after a
 * crash, carries out.
 */
export interface ApprovalSubject {
  readonly resource: Resource;
  /** Returns display names; deleted objects are omitted. */
  namesOf(executor: Executor, objectUuids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  onApproved(tx: Executor, approval: DecidedApproval, decision: Decision): Promise<void>;
  /** Called when an approval is rejected or expires. */
  onRejected(tx: Executor, approval: DecidedApproval, decision: Decision): Promise<void>;
  /** Called after an approval is committed. */
  goOn(): void;
}

/** Returns the display names of the objects of these approvals, by UUID. */
export async function findObjectNames(
  executor: Executor,
  subjects: ReadonlyMap<Resource, ApprovalSubject>,
  rows: readonly Pick<ApprovalRow, 'resource' | 'object_uuid'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = [...Map.groupBy(rows, ({ resource }) => resource)].map(async ([resource, of]) =>
    subjects.get(resource)?.namesOf(
      executor,
      of.map(({ object_uuid }) => object_uuid),
    ),
  );
  return new Map((await Promise.all(found)).flatMap((names) => [...(names ?? [])]));
}

/** Objects of a higher area that use approval profiles. */
export interface ApprovalProfileUse {
  readonly resource: Resource;
  /** Display name, e.g. "RA profile". */
  readonly what: string;
  /** Returns the objects that use these profiles. */
  find(
    executor: Executor,
    profileUuids: readonly string[],
  ): Promise<readonly { readonly profileUuid: string; readonly uuid: string; readonly name: string }[]>;
}
