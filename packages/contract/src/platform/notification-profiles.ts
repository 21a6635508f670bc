// Notification profiles: who is notified of an event, how, and how often.
import { z } from 'zod';
import { RecipientType } from '../enums/notifications.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { description, int32, objectName, uuid } from '../primitives.ts';
import { NameAndUuidDto } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';
import type { AdditionalPermission } from '../operation.ts';
import { sightOf } from './referenced-objects.ts';

/** Ten years. */
export const MAX_FREQUENCY_HOURS = 87_600;

const DURATION = /^P(?!$)(?:(\d{1,7})D)?(?:T(?!$)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Returns the hours in an ISO 8601 duration of days, hours, minutes and seconds, or undefined if it is not a whole
 * number of hours.
 */
export function hoursInDuration(text: string): number | undefined {
  const [whole, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const total = Number(days) * 24 + Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
  return Number.isInteger(total) ? total : undefined;
}

/** An ISO 8601 duration in whole hours, in the platform's format: `PT24H`. */
const frequency = () =>
  z
    .string()
    .refine((text) => {
      const hours = hoursInDuration(text);
      return hours !== undefined && hours >= 1 && hours <= MAX_FREQUENCY_HOURS;
    }, `must be a duration of 1 to ${MAX_FREQUENCY_HOURS} whole hours, e.g. PT24H or P7D`)
    .meta({ format: 'duration' });

const versioned = {
  recipientType: RecipientType,
  /** Whether the notification is also delivered to the recipients' inboxes on the platform. */
  internalNotification: z.boolean(),
};

const listed = {
  uuid: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** The latest or the requested version. */
  version: int32(),
  ...versioned,
};

export const NotificationProfileDto = z
  .object({
    ...listed,
    recipientUuids: z.array(uuid()).optional(),
    notificationInstanceUuid: uuid().optional(),
  })
  .meta({ id: 'NotificationProfileDto' });
export type NotificationProfileDto = z.output<typeof NotificationProfileDto>;

export const NotificationProfileDetailDto = z
  .object({
    ...listed,
    /** Users, groups or roles; deleted recipients are omitted. */
    recipients: z.array(NameAndUuidDto).optional(),
    notificationInstance: NameAndUuidDto.optional(),
    frequency: frequency().optional(),
    repetitions: int32().optional(),
  })
  .meta({ id: 'NotificationProfileDetailDto' });
export type NotificationProfileDetailDto = z.output<typeof NotificationProfileDetailDto>;

export const NotificationProfileResponseDto = z
  .object({ ...pageTotals, notificationProfiles: z.array(NotificationProfileDto).optional() })
  .meta({ id: 'NotificationProfileResponseDto' });
export type NotificationProfileResponseDto = z.output<typeof NotificationProfileResponseDto>;

const requested = {
  description: description().optional(),
  ...versioned,
  /** Users, groups or roles, depending on the recipient type; empty for all other types. */
  recipientUuids: z.array(uuid()).max(1_000).optional(),
  notificationInstanceUuid: uuid().optional(),
  /** Interval at which notifications are repeated while a condition lasts. */
  frequency: frequency().optional(),
  /** Maximum number of notifications about a lasting condition. */
  repetitions: int32().gt(0).optional(),
};

/** The name cannot be changed. */
export const NotificationProfileUpdateRequestDto = z
  .object(requested)
  .meta({ id: 'NotificationProfileUpdateRequestDto' });
export type NotificationProfileUpdateRequestDto = z.output<typeof NotificationProfileUpdateRequestDto>;

export const NotificationProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'NotificationProfileRequestDto' });
export type NotificationProfileRequestDto = z.output<typeof NotificationProfileRequestDto>;

const sightOfRecipients = (resource: 'users' | 'groups' | 'roles', type: string): AdditionalPermission => ({
  resource,
  action: 'detail',
  where: `the recipients are ${type}, on each of them`,
});

const sightOfNamed = [
  sightOf('notificationInstances', 'notificationInstanceUuid'),
  sightOfRecipients('users', 'users'),
  sightOfRecipients('groups', 'groups'),
  sightOfRecipients('roles', 'roles'),
];

export const notificationProfileOperations = operations(
  {
    tag: 'Notification profile inventory',
    resource: 'notificationProfiles',
    module: 'core',
    errors: ruleErrors,
  },
  {
    /** Sorted by name. */
    listNotificationProfiles: {
      route: 'GET /v1/notificationProfiles',
      summary: 'List Notification profiles',
      query: z.object(pageQuery),
      answer: NotificationProfileResponseDto,
      errors: plainErrors,
      access: { action: 'list' },
    },
    createNotificationProfile: {
      route: 'POST /v1/notificationProfiles',
      summary: 'Create Notification profile',
      body: NotificationProfileRequestDto,
      answer: NotificationProfileDetailDto,
      access: { action: 'create' },
      also: sightOfNamed,
      audit: 'create',
    },
    getNotificationProfile: {
      route: 'GET /v1/notificationProfiles/{uuid}',
      summary: 'Get Notification profile details',
      query: z.object({ version: queryInt32().optional() }),
      answer: NotificationProfileDetailDto,
      errors: objectErrors,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Creates a new version, unless only the description has changed. */
    editNotificationProfile: {
      route: 'PUT /v1/notificationProfiles/{uuid}',
      summary: 'Edit Notification profile',
      body: NotificationProfileUpdateRequestDto,
      answer: NotificationProfileDetailDto,
      access: { action: 'update', object: 'uuid' },
      also: sightOfNamed,
      audit: 'update',
    },
    deleteNotificationProfile: {
      route: 'DELETE /v1/notificationProfiles/{uuid}',
      summary: 'Delete notification profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
  },
);
