// What one kind of notification says of itself; instances, their secrets and deliveries are the same for all of them.
import type {
  BaseAttributeDto,
  NotificationPreviewDto,
  NotificationProviderNotifyRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';

/** One call to notify. */
export interface NotificationDelivery {
  /** The same when the call is repeated, and fit for headers: letters, digits, `-` and `_`, up to 64 of them. */
  readonly id: string;
  /** The caller gave the identifier, so a repetition is one; otherwise it follows from what is sent, and the day. */
  readonly isNamed: boolean;
  readonly body: NotificationProviderNotifyRequestDto;
  /** Identifier of the instance. */
  readonly instance: string;
}

/** What an instance sends through, e.g. connections to its server. */
export interface NotificationChannel {
  /**
   * Refuses with 503 (`unavailable`, perhaps with a time to wait) what may work later, and with 422 (`rejected`) what
   * will not until somebody changes something.
   */
  send(delivery: NotificationDelivery, signal: AbortSignal): Promise<void>;
  preview(delivery: NotificationDelivery): NotificationPreviewDto | Promise<NotificationPreviewDto>;
  /** Ends what is open, but for what is being sent. */
  close(): void;
}

export interface NotificationKind<Settings> {
  attributes(): BaseAttributeDto[];
  /** What the attributes say; refuses with everything that is wrong. */
  read(attributes: readonly RequestAttributeDto[]): Settings;
  /** Where secrets are sent to: those that were given for one destination are not kept for another. */
  destination(settings: Settings): string;
  /** Refuses in words what would not work; called before an instance is saved. */
  check?(settings: Settings, signal: AbortSignal): Promise<void>;
  open(settings: Settings): NotificationChannel;
}

export type CreateNotificationKind<Settings> = (context: ConnectorContext) => NotificationKind<Settings>;
