// Rules of notification profiles. Pure.
import type { NotificationProfileUpdateRequestDto, RecipientType } from '@signetry/contract';
import type { VersionRow } from '../tables.ts';

export type NamedType = Extract<RecipientType, 'user' | 'group' | 'role'>;

/** Types whose recipients a profile lists; the others follow from the event. */
export const isNamed = (type: RecipientType): type is NamedType =>
  type === 'user' || type === 'group' || type === 'role';

/** Why a profile cannot be like this; empty when it can. */
export function problemsOfProfile(request: NotificationProfileUpdateRequestDto): string[] {
  const { recipientType: type, recipientUuids = [], internalNotification, notificationInstanceUuid } = request;
  const problems: string[] = [];
  if (isNamed(type) && recipientUuids.length === 0) problems.push(`Name at least one ${type} in recipientUuids.`);
  if (!isNamed(type) && recipientUuids.length > 0)
    problems.push(`Recipients of the type ${type} are found for each event; leave recipientUuids out.`);
  if (type === 'none' && internalNotification)
    problems.push('An internal notification needs recipients; choose another recipient type, or send it externally.');
  if (!internalNotification && notificationInstanceUuid === undefined)
    problems.push('The profile tells nobody: choose internal notifications, a notification provider, or both.');
  return problems;
}

export type VersionedFields = Omit<VersionRow, 'profile_uuid' | 'version' | 'created_at'>;

/** Do two versions say the same? The order of recipients means nothing. */
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
