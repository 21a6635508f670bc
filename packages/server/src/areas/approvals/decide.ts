// Decisions on approvals. The approval is locked first: if two decisions are made concurrently, the second one sees the
// result of the first. Closing the approval, its effects, the audit record and the event are one transaction.
import type { ApprovalStatusEnum, Resource } from '@signetry/contract';
import { coreContextFor, type RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { identityOf, type Users } from './approvers.ts';
import { isApprover, type Identity } from './approval-steps.ts';
import { findObjectNames, type ApprovalSubject, type Decision } from './ports.ts';
import { presentEvent } from './present.ts';
import { requestNextDecision } from './request.ts';
import * as store from './store.ts';
import type { ApprovalRow } from './store.ts';
import { findSteps } from './store-profiles.ts';
import type { RecipientRow, StepRow } from './tables.ts';

const OVERRIDE_COMMENT = 'Decided on behalf of the approvers';
/** Maximum number of approvals that one run closes; the next run closes the rest. */
const EXPIRED_AT_ONCE = 1_000;

export interface DecideParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly users: Users;
  readonly subjects: ReadonlyMap<Resource, ApprovalSubject>;
}

export interface DecisionRequest {
  readonly status: 'APPROVED' | 'REJECTED';
  /** Whether the decision is made as the recipient whose decision is pending, or on behalf of all recipients. */
  readonly as: 'recipient' | 'override';
  readonly comment?: string | undefined;
}

/** Locked rows that a decision is based on. */
interface Case {
  readonly row: ApprovalRow;
  readonly steps: readonly StepRow[];
  readonly recipients: readonly RecipientRow[];
}

export async function decide(
  parts: DecideParts,
  uuid: string,
  verdict: DecisionRequest,
  context: RequestContext,
): Promise<void> {
  const { database, clock, events, faultPoint } = parts.platform;
  const closed = await database.transaction(async (tx) => {
    const held = await hold(tx, uuid);
    const caller = await identityOf(tx, parts.users, context);
    const at = clock.now();
    const refusal = rejectionOf(held, { as: verdict.as, caller, at });
    if (refusal) throw refusal;
    const awaited = pendingRecipientOf(held);
    if (!awaited) throw notPendingError(held.row, held.row.status);
    const decided = {
      status: verdict.status,
      user_uuid: caller?.userUuid ?? null,
      username: context.actor.username,
      comment: verdict.as === 'override' ? OVERRIDE_COMMENT : verdict.comment || null,
      closed_at: at,
    };
    await store.closeRecipient(tx, awaited.uuid, decided);
    const { row } = held;
    await parts.audit.append(tx, context, {
      objects: [{ uuid: row.uuid, name: row.profile_name }],
      affiliated: { resource: row.resource, objects: [{ uuid: row.object_uuid }] },
      data: { action: row.action, ...(decided.comment === null ? {} : { comment: decided.comment }) },
    });
    const decisions = held.recipients.map((each) => (each.uuid === awaited.uuid ? { ...each, ...decided } : each));
    const isOpen =
      verdict.as === 'recipient' &&
      verdict.status === 'APPROVED' &&
      (await requestNextDecision(parts, tx, { approvalUuid: row.uuid, steps: held.steps, decisions }));
    if (isOpen) return undefined;
    await close(parts, tx, row, { status: verdict.status, at, context, message: messageOf(verdict, context) });
    return row;
  });
  faultPoint('approval.afterDecision');
  events.wake();
  if (closed && verdict.status === 'APPROVED') parts.subjects.get(closed.resource)?.goOn();
}

async function hold(tx: Executor, uuid: string): Promise<Case> {
  const row = isUuid(uuid) ? await store.lock(tx, uuid) : undefined;
  if (!row) throw notFound('Approval', uuid);
  return { row, steps: await findSteps(tx, row.version_uuid), recipients: await store.findRecipients(tx, row.uuid) };
}

const pendingRecipientOf = ({ recipients }: Case): RecipientRow | undefined =>
  recipients.find(({ status }) => status === 'PENDING');

/** Returns why the caller cannot make the pending decision. */
export function rejectionOf(
  held: Case,
  facts: { readonly as: DecisionRequest['as']; readonly caller: Identity | undefined; readonly at: Date },
): AppError | undefined {
  const { row, steps, recipients } = held;
  const { as, caller, at } = facts;
  if (as === 'recipient' && !isInvolved(held, caller)) return notFound('Approval', row.uuid);
  if (row.status !== 'PENDING') return notPendingError(row, row.status);
  if (row.expiry_at.getTime() <= at.getTime()) return notPendingError(row, 'EXPIRED');
  if (!caller) return rejected('only users can decide on approvals');
  if (row.creator_uuid === caller.userUuid && !row.allow_own_approval)
    return rejected('the requester of an operation cannot decide on it; a different user must decide');
  if (recipients.some(({ user_uuid }) => user_uuid === caller.userUuid))
    return rejected('you have already decided on this approval; a different user must make the next decision');
  if (as === 'override') return undefined;
  const step = steps.find(({ uuid }) => uuid === pendingRecipientOf(held)?.step_uuid);
  if (step && isApprover(step, caller)) return undefined;
  return rejected('the pending decision is not yours; see the steps of the approval');
}

/** Returns whether the caller requested the approval or was asked to decide, regardless of whether they responded. */
export const isInvolved = ({ row, steps, recipients }: Case, caller: Identity | undefined): boolean =>
  caller !== undefined &&
  (row.creator_uuid === caller.userUuid ||
    recipients.some(
      ({ user_uuid, step_uuid }) =>
        user_uuid === caller.userUuid || steps.some((step) => step.uuid === step_uuid && isApprover(step, caller)),
    ));

const notPendingError = (row: ApprovalRow, state: ApprovalStatusEnum): AppError =>
  new AppError('invalid_state', { what: 'Approval', name: row.uuid, state, needed: 'the status PENDING' });

function messageOf({ status, as, comment }: DecisionRequest, { actor }: RequestContext): string {
  const done = `${status === 'APPROVED' ? 'Approved' : 'Rejected'} by ${actor.username ?? 'an unknown user'}`;
  if (as === 'override') return `${done} on behalf of the approvers`;
  return comment ? `${done}: ${comment}` : done;
}

async function close(
  { platform, subjects }: DecideParts,
  tx: Executor,
  row: ApprovalRow,
  end: Decision & { readonly status: ApprovalStatusEnum },
): Promise<void> {
  const { status, at } = end;
  await store.close(tx, row.uuid, { status, closed_at: at });
  const name = (await findObjectNames(tx, subjects, [row])).get(row.object_uuid);
  await platform.events.append(tx, 'approval_closed', presentEvent({ ...row, status, closed_at: at }, name));
  const subject = subjects.get(row.resource);
  if (status === 'APPROVED') await subject?.onApproved(tx, row, end);
  else await subject?.onRejected(tx, row, end);
}

/** Closes overdue approvals; returns their number. Multiple nodes can do so concurrently. */
export async function expireOverdue(parts: DecideParts): Promise<number> {
  const { database, clock, events, log } = parts.platform;
  let expired = 0;
  for (const uuid of await store.findOverdue(database.executor, clock.now(), EXPIRED_AT_ONCE)) {
    try {
      if (await expire(parts, uuid)) expired++;
    } catch (error) {
      log.error({ error, approval: uuid }, 'cannot close an expired approval; will retry');
    }
  }
  if (expired > 0) events.wake();
  return expired;
}

async function expire(parts: DecideParts, uuid: string): Promise<boolean> {
  const { database, clock } = parts.platform;
  return database.transaction(async (tx) => {
    const row = await store.lock(tx, uuid);
    const at = clock.now();
    if (row?.status !== 'PENDING' || row.expiry_at.getTime() > at.getTime()) return false;
    const context = coreContextFor({ audit: { module: 'approvals', resource: 'approvals', operation: 'update' } });
    const message = `No decision within ${row.expiry_hours} ${row.expiry_hours === 1 ? 'hour' : 'hours'}`;
    const awaited = (await store.findRecipients(tx, uuid)).find(({ status }) => status === 'PENDING');
    if (awaited)
      await store.closeRecipient(tx, awaited.uuid, {
        status: 'EXPIRED',
        user_uuid: null,
        username: null,
        comment: null,
        closed_at: at,
      });
    await parts.audit.append(tx, context, {
      objects: [{ uuid, name: row.profile_name }],
      affiliated: { resource: row.resource, objects: [{ uuid: row.object_uuid }] },
      message,
    });
    await close(parts, tx, row, { status: 'EXPIRED', at, context, message });
    return true;
  });
}
