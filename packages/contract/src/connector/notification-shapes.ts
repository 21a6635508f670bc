// Shapes of the notification provider: its instances, and what they are to deliver.
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

/** `mappedAttributes` are values of the recipient's custom attributes, under the names of mapping attributes. */
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
    /** Deprecated in favour of `event`, and still mandatory. */
    eventType: z.string(),
    event: ResourceEvent.optional(),
    resource: Resource.optional(),
    /** Facts of the event; their form depends on it. */
    notificationData: z.unknown().optional(),
  })
  .meta({ id: 'NotificationProviderNotifyRequestDto' });
export type NotificationProviderNotifyRequestDto = z.output<typeof NotificationProviderNotifyRequestDto>;

/** What would be sent, as far as the kind has it; secrets in headers are replaced. Beyond the published interface. */
export const NotificationPreviewDto = z
  .object({
    subject: z.string().optional(),
    text: z.string().optional(),
    html: z.string().optional(),
    /** Of what is no mail, e.g. the JSON of an HTTP request. */
    body: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'NotificationPreviewDto' });
export type NotificationPreviewDto = z.output<typeof NotificationPreviewDto>;
