// Interface of one kind of notification; instances, their secrets and deliveries are shared by all kinds.
import type {
  BaseAttributeDto,
  NotificationPreviewDto,
  NotificationProviderNotifyRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';

/** One call to send a notification. */
export interface NotificationDelivery {
  /** Unchanged when the call is repeated, and safe in headers: up to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  /**
   * Whether the caller supplied the identifier, so that the same identifier means a repeated call; otherwise it is
   * derived from the content and the day.
   */
  readonly isNamed: boolean;
  readonly body: NotificationProviderNotifyRequestDto;
  /** Identifier of the instance. */
  readonly instance: string;
}

/** Transport of an instance, e.g. connections to its server. */
export interface NotificationChannel {
  /**
   * Throws 503 (`unavailable`, optionally with a retry delay) for failures that may be temporary, and 422 (`rejected`)
   * for failures that require a change.
   */
  send(delivery: NotificationDelivery, signal: AbortSignal): Promise<void>;
  preview(delivery: NotificationDelivery): NotificationPreviewDto | Promise<NotificationPreviewDto>;
  /** Closes everything except deliveries in progress. */
  close(): void;
}

export interface NotificationKind<Settings> {
  attributes(): BaseAttributeDto[];
  /** Converts attributes to settings, or rejects them with a list of all problems. */
  read(attributes: readonly RequestAttributeDto[]): Settings;
  /**
   * Returns the destination to which secrets are sent. Secrets entered for one destination are not kept for a different
   * one.
   */
  destination(settings: Settings): string;
  /** Rejects settings that would not work, with the reason; called before an instance is saved. */
  check?(settings: Settings, signal: AbortSignal): Promise<void>;
  open(settings: Settings): NotificationChannel;
}

export type CreateNotificationKind<Settings> = (context: ConnectorContext) => NotificationKind<Settings>;
