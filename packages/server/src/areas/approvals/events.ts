// Approval events and the data that they contain.
import type { ApprovalStatusEnum, Resource, ResourceAction } from '@signetry/contract';
import type { Events } from '../../platform/events/outbox.ts';

/** Data in these events, as specified by the API. Times are in ISO 8601 format. */
export interface ApprovalEvent {
  readonly approvalUuid: string;
  readonly approvalProfileUuid: string;
  readonly approvalProfileName: string;
  readonly version: number;
  readonly status: ApprovalStatusEnum;
  readonly expiryAt: string;
  readonly closedAt?: string;
  readonly resource: Resource;
  readonly resourceAction: ResourceAction;
  readonly objectUuid: string;
  /** Absent if the object has been deleted. */
  readonly objectName?: string;
  readonly creatorUuid: string;
  readonly creatorUsername: string;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** Raised when a step starts to wait for its first decision. */
    approval_requested: ApprovalEvent & {
      readonly recipientType: 'user' | 'role' | 'group';
      readonly recipientUuid: string;
    };
    /** Raised when an approval is approved or rejected, or expires. */
    approval_closed: ApprovalEvent;
  }
}

export function publishApprovalEvents(events: Events): void {
  for (const event of ['approval_requested', 'approval_closed'] as const)
    events.publish(event, { resource: 'approvals', objectOf: ({ approvalUuid }) => approvalUuid });
}
