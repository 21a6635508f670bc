// Requests an approval, in the transaction that records the waiting operation.
import type { Resource, ResourceAction } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { assertDecidable, type Users } from './approvers.ts';
import { approverOf, expiryOf, nextStep } from './approval-steps.ts';
import { findObjectNames, type ApprovalSubject } from './ports.ts';
import { presentEvent } from './present.ts';
import * as store from './store.ts';
import { findSteps, holdLatestVersion } from './store-profiles.ts';
import type { RecipientRow, StepRow } from './tables.ts';

export interface NewApproval {
  readonly approvalProfileUuid: string;
  readonly resource: Resource;
  readonly action: ResourceAction;
  readonly objectUuid: string;
  /** Requester; cannot approve the request unless the profile allows it. */
  readonly creator: { readonly uuid: string; readonly name: string };
}

export interface RequestedApproval {
  readonly uuid: string;
  readonly profileName: string;
  readonly expiresAt: Date;
}

export interface RequestParts {
  readonly platform: Platform;
  readonly users: Users;
  readonly subjects: ReadonlyMap<Resource, ApprovalSubject>;
}

export async function request(parts: RequestParts, tx: Executor, wanted: NewApproval): Promise<RequestedApproval> {
  const { clock } = parts.platform;
  const version = await holdLatestVersion(tx, wanted.approvalProfileUuid);
  if (!version) throw rejected('the approval profile has been deleted in the meantime; try again');
  const { name: profileName, allow_own_approval: allowOwn } = version;
  const steps = await findSteps(tx, version.version_uuid);
  await assertDecidable(tx, parts.users, { profileName, steps, creatorUuid: wanted.creator.uuid, allowOwn });
  const [uuid, now] = [newUuid(), clock.now()];
  const expiresAt = expiryOf(now, version.expiry_hours);
  try {
    await store.insert(tx, {
      uuid,
      version_uuid: version.version_uuid,
      resource: wanted.resource,
      action: wanted.action,
      object_uuid: wanted.objectUuid,
      creator_uuid: wanted.creator.uuid,
      creator_username: wanted.creator.name,
      status: 'PENDING',
      created_at: now,
      expiry_at: expiresAt,
      closed_at: null,
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'approval_pending_object_key')) throw error;
    throw rejected('an operation on the object is already waiting for approval; it must be decided first');
  }
  await requestNextDecision(parts, tx, { approvalUuid: uuid, steps, decisions: [] });
  return { uuid, profileName, expiresAt };
}

/** Requests the next decision; returns false if all steps are approved. */
export async function requestNextDecision(
  { platform, subjects }: Pick<RequestParts, 'platform' | 'subjects'>,
  tx: Executor,
  facts: {
    readonly approvalUuid: string;
    readonly steps: readonly StepRow[];
    readonly decisions: readonly Pick<RecipientRow, 'step_uuid' | 'status'>[];
  },
): Promise<boolean> {
  const { approvalUuid, steps, decisions } = facts;
  const step = nextStep(steps, decisions);
  if (!step) return false;
  await store.insertRecipient(tx, {
    uuid: newUuid(),
    approval_uuid: approvalUuid,
    step_uuid: step.uuid,
    status: 'PENDING',
    user_uuid: null,
    username: null,
    comment: null,
    created_at: platform.clock.now(),
    closed_at: null,
  });
  if (decisions.some(({ step_uuid }) => step_uuid === step.uuid)) return true;
  const row = await store.findOne(tx, approvalUuid);
  if (!row) return true;
  const { type, uuid } = approverOf(step);
  const names = await findObjectNames(tx, subjects, [row]);
  await platform.events.append(tx, 'approval_requested', {
    ...presentEvent(row, names.get(row.object_uuid)),
    recipientType: type,
    recipientUuid: uuid,
  });
  return true;
}
