// Notification profiles: who is told of an event, in which way, and how often.
import { z } from 'zod';
import { RecipientType } from '../enums/notifications.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { description, int32, objectName, uuid } from '../primitives.ts';
import { NameAndUuidDto } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';
import type { FurtherPermission } from '../operation.ts';
import { sightOf } from './second-objects.ts';

/** Ten years. */
export const MAX_FREQUENCY_HOURS = 87_600;

const DURATION = /^P(?!$)(?:(\d{1,7})D)?(?:T(?!$)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** Hours of an ISO 8601 duration of days, hours, minutes and seconds; undefined unless they are whole hours. */
export function hoursOfDuration(text: string): number | undefined {
  const [whole, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const total = Number(days) * 24 + Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
  return Number.isInteger(total) ? total : undefined;
}

/** An ISO 8601 duration in whole hours, as the platform writes it: `PT24H`. */
const frequency = () =>
  z
    .string()
    .refine((text) => {
      const hours = hoursOfDuration(text);
      return hours !== undefined && hours >= 1 && hours <= MAX_FREQUENCY_HOURS;
    }, `must be a duration of 1 to ${MAX_FREQUENCY_HOURS} whole hours, e.g. PT24H or P7D`)
    .meta({ format: 'duration' });

const versioned = {
  recipientType: RecipientType,
  /** Whether it shows in the notifications of the recipients here. */
  internalNotification: z.boolean(),
};

const listed = {
  uuid: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** The latest, or the one asked for. */
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
    /** Users, groups or roles; those that have been deleted since are left out. */
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
  /** Of users, groups or roles, as the type says; none with other types. */
  recipientUuids: z.array(uuid()).max(1_000).optional(),
  notificationInstanceUuid: uuid().optional(),
  /** Events that last are told of again after this time, as long as they last. */
  frequency: frequency().optional(),
  /** How often one that lasts is told of at most. */
  repetitions: int32().gt(0).optional(),
};

/** The name stays. */
export const NotificationProfileUpdateRequestDto = z
  .object(requested)
  .meta({ id: 'NotificationProfileUpdateRequestDto' });
export type NotificationProfileUpdateRequestDto = z.output<typeof NotificationProfileUpdateRequestDto>;

export const NotificationProfileRequestDto = z
  .object({ name: objectName(), ...requested })
  .meta({ id: 'NotificationProfileRequestDto' });
export type NotificationProfileRequestDto = z.output<typeof NotificationProfileRequestDto>;

const sightOfRecipients = (resource: 'users' | 'groups' | 'roles', type: string): FurtherPermission => ({
  resource,
  action: 'detail',
  where: `the recipients are ${type}, on each`,
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
    /** By name. */
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
    /** Another version, unless nothing but the description differs from the latest. */
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
