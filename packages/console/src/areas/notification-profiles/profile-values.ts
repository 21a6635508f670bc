// Form values of a notification profile, converted from and to the platform's DTOs. Pure.
import {
  hoursInDuration,
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
  /** Null to send the notification only once. */
  readonly hours: number | null;
  /** Null to repeat the notification without limit while the condition lasts. */
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
  hours: profile.frequency === undefined ? null : (hoursInDuration(profile.frequency) ?? null),
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

/** Returns a hint about the missing input, or undefined if the form can be sent. */
export function missingOf(values: ProfileValues): string | undefined {
  const type = namedType(values.recipientType);
  if (type && values.recipientUuids.length === 0) return `Choose at least one ${type}.`;
  if (!values.internalNotification && values.notificationInstanceUuid === null)
    return 'Choose how recipients are notified: in the inbox, through a provider, or both.';
  return undefined;
}
