// Shows the progress of bulk changes to the requester and to users who can see all certificates, and stops changes.
import {
  MAX_LISTED_REJECTIONS,
  type Action,
  type CertificateChange,
  type CertificateChangeDetail,
  type CertificateChangeKind,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { auditFacts, callerName, canViewAllCertificates } from '../../certificates/index.ts';
import * as store from './store.ts';
import type { ChangeRow } from './tables.ts';

const MAX_LISTED = 50;

/** Permissions required to stop a bulk change that another user requested. */
const actions: Readonly<Record<CertificateChangeKind, Action>> = {
  update: 'update',
  archive: 'archive',
  unarchive: 'archive',
  delete: 'delete',
};

export function createChangeProgress({ platform, audit }: { readonly platform: Platform; readonly audit: AuditTrail }) {
  const { database, clock } = platform;

  /**
   * The response names the rejected certificates, so changes requested by other users are visible only to callers who
   * can see all certificates.
   */
  async function requireVisible(uuid: string, context: RequestContext): Promise<ChangeRow> {
    const row = isUuid(uuid) ? await store.findChange(database.executor, uuid) : undefined;
    if (row && (isOwn(row, context) || canViewAllCertificates(context))) return row;
    throw notFound('Bulk change', uuid);
  }

  async function detail(uuid: string, context: RequestContext): Promise<CertificateChangeDetail> {
    const row = await requireVisible(uuid, context);
    const refusals = await store.findRejections(database.executor, row.uuid, MAX_LISTED_REJECTIONS);
    return {
      ...present(row, context),
      refusals: refusals.map((item) => ({
        uuid: item.certificate_uuid,
        name: item.name ?? '',
        message: item.problem ?? '',
      })),
    };
  }

  return {
    detail,

    async list(context: RequestContext): Promise<CertificateChange[]> {
      const requesterUuid = context.actor.userUuid;
      if (requesterUuid === null && !canViewAllCertificates(context)) return [];
      const whose = canViewAllCertificates(context) ? undefined : (requesterUuid ?? undefined);
      const rows = await store.findChanges(database.executor, { requesterUuid: whose, limit: MAX_LISTED });
      return rows.map((row) => present(row, context));
    },

    /** Stops the change after waiting for the current batch to finish. */
    async stop(uuid: string, context: RequestContext): Promise<CertificateChangeDetail> {
      const change = await requireVisible(uuid, context);
      const { kind } = change;
      if (!canStop(change, context))
        throw new AppError('access_denied', { action: actions[kind], resource: 'certificates' });
      await database.transaction(async (tx) => {
        if (!(await store.stopChange(tx, change.uuid, { by: callerName(context), at: clock.now() }))) return;
        await audit.append(tx, context, { facts: auditFacts('update'), data: { stoppedChange: change.uuid, kind } });
      });
      return detail(uuid, context);
    },
  };
}

const isOwn = ({ requester_uuid }: ChangeRow, { actor }: RequestContext): boolean =>
  requester_uuid !== null && requester_uuid === actor.userUuid;

const canStop = (row: ChangeRow, context: RequestContext): boolean =>
  isOwn(row, context) || isAllowed(context.actor.permissions, 'certificates', actions[row.kind]);

function present(row: ChangeRow, context: RequestContext): CertificateChange {
  const { filters, text, includeArchived, names } = row.asked;
  const isSelection = filters !== undefined || text !== undefined;
  return {
    uuid: row.uuid,
    kind: row.kind,
    ...(names && { assigned: names }),
    ...(isSelection && {
      selection: { ...(filters && { filters }), ...(text && { text }), ...(includeArchived && { includeArchived }) },
    }),
    total: row.total,
    changed: row.changed,
    refused: row.refused,
    requestedBy: row.requester_name,
    startedAt: row.started_at.toISOString(),
    ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
    ...(row.stopped_by !== null && { stoppedBy: row.stopped_by }),
    stoppable: row.finished_at === null && canStop(row, context),
  };
}
