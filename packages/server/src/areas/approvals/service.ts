// Reads of approvals: lists, and details for the users involved.
import type { ApprovalDetailDto, ApprovalDto, ApprovalResponseDto, Resource } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { pageFacts, pageOffset, readPage, type PageRequest } from '../../kernel/page.ts';
import { identityOf, namesOf } from './approvers.ts';
import { decide, isInvolved, rejectionOf, type DecideParts, type DecisionRequest } from './decide.ts';
import { findObjectNames } from './ports.ts';
import { presentApproval, presentApprovalDetail } from './present.ts';
import * as store from './store.ts';
import type { ApprovalRow } from './store.ts';
import { findSteps } from './store-profiles.ts';

export type ApprovalService = ReturnType<typeof createApprovalService>;

export const createApprovalService = (parts: DecideParts) => ({
  list: (page: PageRequest) => list(parts, { kind: 'all' }, page),
  listOwn: (query: PageRequest & { readonly history?: boolean | undefined }, context: RequestContext) =>
    listOwn(parts, query, context),
  listOfObject: (resource: Resource, objectUuid: string, page: PageRequest) =>
    list(parts, { kind: 'object', resource, objectUuid }, page),
  detail: (uuid: string, context: RequestContext) => detail(parts, uuid, context),
  decide: (uuid: string, verdict: DecisionRequest, context: RequestContext) => decide(parts, uuid, verdict, context),
});

async function list(parts: DecideParts, listed: store.ListScope, asked: PageRequest): Promise<ApprovalResponseDto> {
  const page = readPage(asked);
  const limits = { limit: page.itemsPerPage, offset: pageOffset(page) };
  const { rows, total } = await store.findPage(parts.platform.database.executor, listed, limits);
  return { ...pageFacts(page, total), approvals: await present(parts, rows) };
}

async function present(parts: DecideParts, rows: readonly ApprovalRow[]): Promise<ApprovalDto[]> {
  const names = await findObjectNames(parts.platform.database.executor, parts.subjects, rows);
  return rows.map((row) => presentApproval(row, names.get(row.object_uuid)));
}

async function listOwn(
  parts: DecideParts,
  { history = false, ...page }: PageRequest & { readonly history?: boolean | undefined },
  context: RequestContext,
): Promise<ApprovalResponseDto> {
  const { database, clock } = parts.platform;
  const person = await identityOf(database.executor, parts.users, context);
  if (!person) return { ...pageFacts(readPage(page), 0), approvals: [] };
  return list(parts, history ? { kind: 'history', person } : { kind: 'awaiting', person, now: clock.now() }, page);
}

async function detail(parts: DecideParts, uuid: string, context: RequestContext): Promise<ApprovalDetailDto> {
  const { database, clock } = parts.platform;
  const { executor } = database;
  const row = isUuid(uuid) ? await store.findOne(executor, uuid) : undefined;
  if (!row) throw notFound('Approval', uuid);
  const steps = await findSteps(executor, row.version_uuid);
  const recipients = await store.findRecipients(executor, row.uuid);
  const held = { row, steps, recipients };
  const caller = await identityOf(executor, parts.users, context);
  const { permissions } = context.actor;
  if (!isAllowed(permissions, 'approvals', 'list') && !isInvolved(held, caller)) throw notFound('Approval', uuid);
  const mayDecide = (as: DecisionRequest['as']): boolean => !rejectionOf(held, { as, caller, at: clock.now() });
  return presentApprovalDetail(row, {
    objectName: (await findObjectNames(executor, parts.subjects, [row])).get(row.object_uuid),
    steps,
    recipients,
    names: await namesOf(executor, parts.users, steps),
    awaitsCaller: mayDecide('recipient'),
    overridableByCaller: isAllowed(permissions, 'approvals', 'approve') && mayDecide('override'),
  });
}
