// Rows of this area's tables (migrations 0081-notifications and 0082-notification-deliveries).
import type {
  AttributeMappingDto,
  NotificationDeliveryState,
  RecipientType,
  Resource,
  ResourceEvent,
} from '@signetry/contract';

/** Recipient of a delivery. The email address is read when the delivery is sent. */
export interface NamedRecipient {
  readonly resource: 'users' | 'groups' | 'roles';
  readonly uuid: string;
  readonly name: string;
}

export type EventData = Readonly<Record<string, unknown>>;

export type NotificationTables = {
  notification: {
    uuid: string;
    user_uuid: string;
    cause: string;
    message: string;
    detail: string | null;
    target_resource: Resource | null;
    target_uuids: string[];
    sent_at: Date;
    read_at: Date | null;
  };
  notification_instance: {
    uuid: string;
    name: string;
    description: string | null;
    connector_uuid: string | null;
    connector_name: string;
    connector_instance_uuid: string;
    kind: string;
    mappings: readonly AttributeMappingDto[];
    /** Removal of the instance has started; new references are not allowed. */
    removing: boolean;
    /** Locked by an edit until this time. */
    edited_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  notification_profile: {
    uuid: string;
    name: string;
    description: string | null;
    latest_version: number;
    created_at: Date;
    updated_at: Date;
  };
  notification_profile_version: {
    profile_uuid: string;
    version: number;
    recipient_type: RecipientType;
    recipient_uuids: string[];
    instance_uuid: string | null;
    internal: boolean;
    frequency_hours: number | null;
    repetitions: number | null;
    created_at: Date;
  };
  notification_pending: {
    profile_uuid: string;
    version: number;
    event: ResourceEvent;
    resource: Resource;
    object_uuid: string;
    data: EventData;
    sent_count: number;
    last_sent_at: Date;
    next_at: Date;
  };
  notification_delivery: {
    uuid: string;
    cause: string;
    instance_uuid: string | null;
    instance_name: string;
    profile_uuid: string | null;
    profile_name: string;
    profile_version: number;
    event: ResourceEvent;
    resource: Resource;
    object_uuid: string | null;
    recipients: readonly NamedRecipient[];
    data: EventData;
    idempotency_key: string;
    state: NotificationDeliveryState;
    attempts: number;
    raised_at: Date;
    queued_at: Date;
    next_at: Date | null;
    ended_at: Date | null;
    problem: string | null;
  };
};

export type NotificationRow = NotificationTables['notification'];
export type InstanceRow = NotificationTables['notification_instance'];
export type ProfileRow = NotificationTables['notification_profile'];
export type VersionRow = NotificationTables['notification_profile_version'];
export type PendingRow = NotificationTables['notification_pending'];
export type DeliveryRow = NotificationTables['notification_delivery'];
