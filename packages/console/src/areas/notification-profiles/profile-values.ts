// The values of a notification profile in its form. Pure.
import {
  hoursOfDuration,
  type NotificationProfileDetailDto,
  type NotificationProfileUpdateRequestDto,
  type RecipientType,
} from '@signetry/contract';
import { namedType } from '../notifications/recipient-types.ts';

export interface ProfileValues {
  readonly name: string;
  readonly description: string;
  readonly recipientType: RecipientType;
  readonly recipientUuids: readonly string[];
  readonly internalNotification: boolean;
  readonly notificationInstanceUuid: string | null;
  /** Null: told once. */
  readonly hours: number | null;
  /** Null: as long as it lasts. */
  readonly repetitions: number | null;
}

export const newValues: ProfileValues = {
  name: '',
  description: '',
  recipientType: 'default',
  recipientUuids: [],
  internalNotification: true,
  notificationInstanceUuid: null,
  hours: null,
  repetitions: null,
};

export const valuesOf = (profile: NotificationProfileDetailDto): ProfileValues => ({
  name: profile.name,
  description: profile.description ?? '',
  recipientType: profile.recipientType,
  recipientUuids: (profile.recipients ?? []).map(({ uuid }) => uuid),
  internalNotification: profile.internalNotification,
  notificationInstanceUuid: profile.notificationInstance?.uuid ?? null,
  hours: profile.frequency === undefined ? null : (hoursOfDuration(profile.frequency) ?? null),
  repetitions: profile.repetitions ?? null,
});

export const requestOf = (values: ProfileValues): NotificationProfileUpdateRequestDto => ({
  ...(values.description.trim() !== '' && { description: values.description.trim() }),
  recipientType: values.recipientType,
  ...(namedType(values.recipientType) && { recipientUuids: [...values.recipientUuids] }),
  internalNotification: values.internalNotification,
  ...(values.notificationInstanceUuid !== null && { notificationInstanceUuid: values.notificationInstanceUuid }),
  ...(values.hours !== null && { frequency: `PT${values.hours}H` }),
  ...(values.hours !== null && values.repetitions !== null && { repetitions: values.repetitions }),
});

/** What has to be entered before it can be sent. */
export function missingOf(values: ProfileValues): string | undefined {
  const type = namedType(values.recipientType);
  if (type && values.recipientUuids.length === 0) return `Choose at least one ${type}.`;
  if (!values.internalNotification && values.notificationInstanceUuid === null)
    return 'Say how they are told: in the platform, through a provider, or both.';
  return undefined;
}
