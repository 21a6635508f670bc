// Notification provider schemas: instances, and the notifications to deliver.
import { z } from 'zod';
import { ResourceEvent } from '../enums/workflows.ts';
import { Resource } from '../platform/resource.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';

export const NotificationProviderInstanceDto = z
  .object({ uuid: z.string(), name: z.string(), attributes: z.array(BaseAttributeDto) })
  .meta({ id: 'NotificationProviderInstanceDto' });
export type NotificationProviderInstanceDto = z.output<typeof NotificationProviderInstanceDto>;

export const NotificationProviderInstanceRequestDto = z
  .object({ name: z.string(), kind: z.string(), attributes: z.array(RequestAttributeDto) })
  .meta({ id: 'NotificationProviderInstanceRequestDto' });
export type NotificationProviderInstanceRequestDto = z.output<typeof NotificationProviderInstanceRequestDto>;

/** `mappedAttributes` contains values of the recipient's custom attributes, under the names of mapping attributes. */
export const NotificationRecipientDto = z
  .object({
    name: z.string(),
    email: z.string().optional(),
    mappedAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'NotificationRecipientDto' });
export type NotificationRecipientDto = z.output<typeof NotificationRecipientDto>;

export const NotificationProviderNotifyRequestDto = z
  .object({
    recipients: z.array(NotificationRecipientDto),
    /** Deprecated in favor of `event`, but still mandatory. */
    eventType: z.string(),
    event: ResourceEvent.optional(),
    resource: Resource.optional(),
    /** Event data; its structure depends on the event. */
    notificationData: z.unknown().optional(),
  })
  .meta({ id: 'NotificationProviderNotifyRequestDto' });
export type NotificationProviderNotifyRequestDto = z.output<typeof NotificationProviderNotifyRequestDto>;

/**
 * Content that would be sent, with the members that apply to the kind. Secrets in headers are redacted. Not part of the
 * published interface.
 */
export const NotificationPreviewDto = z
  .object({
    subject: z.string().optional(),
    text: z.string().optional(),
    html: z.string().optional(),
    /** The body of a message other than an email, e.g. the JSON in an HTTP request. */
    body: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'NotificationPreviewDto' });
export type NotificationPreviewDto = z.output<typeof NotificationPreviewDto>;
