// The page of what a notification or a delivery is about.
import type { NotificationDto, Resource } from '@signetry/contract';
import { paths } from '../../kit/paths.ts';

const pages: Partial<Record<Resource, (uuid: string) => string>> = {
  certificates: paths.certificates.one,
  discoveries: paths.discoveries.one,
  approvals: paths.approvals.one,
  jobs: paths.scheduledJobs.one,
};

/** Undefined where the console has no page for it, or it names no object. */
export const pageOfObject = (resource: Resource | undefined, uuid: string | undefined): string | undefined =>
  resource === undefined || uuid === undefined ? undefined : pages[resource]?.(uuid);

/** A change of many certificates names none of them; its own page says what became of each. */
export function pageOfNotification(notification: NotificationDto): string | undefined {
  const { targetObjectType: resource, targetObjectIdentification: uuids = [] } = notification;
  if (resource === 'certificates' && uuids.length === 0) return paths.certificates.changes;
  return pageOfObject(resource, uuids.at(-1));
}
