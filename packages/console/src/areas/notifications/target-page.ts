// The page for the object that a notification or delivery refers to.
import type { NotificationDto, Resource } from '@signetry/contract';
import { paths } from '../../kit/paths.ts';

const pages: Partial<Record<Resource, (uuid: string) => string>> = {
  certificates: paths.certificates.one,
  discoveries: paths.discoveries.one,
  approvals: paths.approvals.one,
  jobs: paths.scheduledJobs.one,
};

/** Returns undefined if the console has no page for the object, or no object is specified. */
export const pageOfObject = (resource: Resource | undefined, uuid: string | undefined): string | undefined =>
  resource === undefined || uuid === undefined ? undefined : pages[resource]?.(uuid);

/**
 * Notifications about bulk certificate changes do not name a certificate. They link to the bulk changes page, which
 * lists the result of each change.
 */
export function pageOfNotification(notification: NotificationDto): string | undefined {
  const { targetObjectType: resource, targetObjectIdentification: uuids = [] } = notification;
  if (resource === 'certificates' && uuids.length === 0) return paths.certificates.changes;
  return pageOfObject(resource, uuids.at(-1));
}
