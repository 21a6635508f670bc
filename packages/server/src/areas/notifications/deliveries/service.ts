// Use cases of deliveries: listing pending, delivered and failed deliveries with their problems, and delivering again.
import type { NotificationDeliveries, NotificationDelivery, NotificationDeliveryDetail } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound } from '../../../kernel/errors.ts';
import { pageFacts, readPage, type PageRequest } from '../../../kernel/page.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { holdInstance } from '../store.ts';
import { findDelivery, findDeliveryPage, requeueDelivery, type DeliveryFilter } from '../store-deliveries.ts';
import type { DeliveryRow } from '../tables.ts';

const WHAT = 'Delivery';

export type DeliveryService = ReturnType<typeof createDeliveryService>;

export function createDeliveryService(
  { database, clock }: Platform,
  { audit, queued }: { readonly audit: AuditTrail; readonly queued: () => void },
) {
  async function list({
    itemsPerPage,
    pageNumber,
    ...filter
  }: DeliveryFilter & PageRequest): Promise<NotificationDeliveries> {
    const page = readPage({ itemsPerPage, pageNumber });
    const { items, totalItems } = await findDeliveryPage(database.executor, filter, page);
    return { ...pageFacts(page, totalItems), deliveries: items.map(presentDelivery) };
  }

  async function detail(uuid: string): Promise<NotificationDeliveryDetail> {
    const row = requireFound(await findDelivery(database.executor, uuid), WHAT, uuid);
    return { ...presentDelivery(row), notificationData: row.data };
  }

  async function replay(uuid: string, context: RequestContext): Promise<NotificationDeliveryDetail> {
    await database.transaction(async (tx) => {
      const { instance_uuid: instanceUuid, instance_name: name } = requireFound(
        await findDelivery(tx, uuid),
        WHAT,
        uuid,
      );
      if (instanceUuid === null || !(await holdInstance(tx, instanceUuid)))
        throw refused(uuid, 'for a notification instance that has been removed', 'an existing notification instance');
      if (!(await requeueDelivery(tx, uuid, clock.now())))
        throw refused(uuid, 'already waiting to be delivered', 'a delivery that has ended');
      await audit.append(tx, context, { objects: [{ uuid: instanceUuid, name }], data: { delivery: uuid } });
    });
    queued();
    return detail(uuid);
  }

  return { list, detail, replay };
}

const refused = (uuid: string, state: string, needed: string) =>
  new AppError('invalid_state', { what: WHAT, name: uuid, state, needed });

const presentDelivery = (row: DeliveryRow): NotificationDelivery => ({
  uuid: row.uuid,
  state: row.state,
  ...(row.instance_uuid === null ? {} : { instanceUuid: row.instance_uuid }),
  instanceName: row.instance_name,
  ...(row.profile_uuid === null ? {} : { profileUuid: row.profile_uuid }),
  profileName: row.profile_name,
  profileVersion: row.profile_version,
  event: row.event,
  resource: row.resource,
  ...(row.object_uuid === null ? {} : { objectUuid: row.object_uuid }),
  recipients: [...row.recipients],
  attempts: row.attempts,
  raisedAt: row.raised_at.toISOString(),
  ...(row.next_at === null ? {} : { nextAttemptAt: row.next_at.toISOString() }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  ...(row.problem === null ? {} : { problem: row.problem }),
});
