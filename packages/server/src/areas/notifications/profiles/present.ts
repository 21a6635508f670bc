// Presents notification profiles in the API format.
import type { NameAndUuidDto, NotificationProfileDetailDto, NotificationProfileDto } from '@signetry/contract';
import type { ShownProfile } from '../store.ts';
import { isNamed } from './profile-rules.ts';

const sharedFields = (row: ShownProfile) => ({
  uuid: row.uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  version: row.version,
  recipientType: row.recipient_type,
  internalNotification: row.internal,
});

export const presentProfile = (row: ShownProfile): NotificationProfileDto => ({
  ...sharedFields(row),
  ...(isNamed(row.recipient_type) ? { recipientUuids: row.recipient_uuids } : {}),
  ...(row.instance_uuid === null ? {} : { notificationInstanceUuid: row.instance_uuid }),
});

export const presentProfileDetail = (
  row: ShownProfile,
  recipients: readonly NameAndUuidDto[],
): NotificationProfileDetailDto => ({
  ...sharedFields(row),
  ...(isNamed(row.recipient_type) ? { recipients: [...recipients] } : {}),
  ...(row.instance_uuid === null
    ? {}
    : { notificationInstance: { uuid: row.instance_uuid, name: row.instance_name ?? '' } }),
  ...(row.frequency_hours === null ? {} : { frequency: `PT${row.frequency_hours}H` }),
  ...(row.repetitions === null ? {} : { repetitions: row.repetitions }),
});
