// Validates notification profiles. Pure.
import type { NotificationProfileUpdateRequestDto, RecipientType } from '@signetry/contract';
import type { VersionRow } from '../tables.ts';

export type NamedType = Extract<RecipientType, 'user' | 'group' | 'role'>;

/**
 * Returns whether a profile lists the recipients of this type itself. For all other types, the event determines the
 * recipients.
 */
export const isNamed = (type: RecipientType): type is NamedType =>
  type === 'user' || type === 'group' || type === 'role';

/** Returns the problems of a profile; empty if it is valid. */
export function problemsOfProfile(request: NotificationProfileUpdateRequestDto): string[] {
  const { recipientType: type, recipientUuids = [], internalNotification, notificationInstanceUuid } = request;
  const problems: string[] = [];
  if (isNamed(type) && recipientUuids.length === 0) problems.push(`Specify at least one ${type} in recipientUuids.`);
  if (!isNamed(type) && recipientUuids.length > 0)
    problems.push(`Recipients of type ${type} are determined for each event; omit recipientUuids.`);
  if (type === 'none' && internalNotification)
    problems.push(
      'Internal notifications require recipients. Choose a different recipient type, or use a notification provider.',
    );
  if (!internalNotification && notificationInstanceUuid === undefined)
    problems.push(
      'The profile notifies no one. Enable internal notifications, select a notification provider, or both.',
    );
  return problems;
}

export type VersionedFields = Omit<VersionRow, 'profile_uuid' | 'version' | 'created_at'>;

/** Returns whether two versions are equivalent, regardless of the order of recipients. */
export const isSameVersion = (one: VersionedFields, other: VersionedFields): boolean => textOf(one) === textOf(other);

const textOf = (version: VersionedFields): string =>
  JSON.stringify([
    version.recipient_type,
    version.recipient_uuids.toSorted(),
    version.instance_uuid,
    version.internal,
    version.frequency_hours,
    version.repetitions,
  ]);
