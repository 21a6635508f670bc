// Events of approvals, with their data.
import type { ApprovalStatusEnum, Resource, ResourceAction } from '@signetry/contract';
import type { Events } from '../../platform/events/outbox.ts';

/** As the interface describes the data of these events. Times are ISO 8601. */
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
  readonly creatorUuid: string;
  readonly creatorUsername: string;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** A step begins to wait for its first decision. */
    approval_requested: ApprovalEvent & {
      readonly recipientType: 'user' | 'role' | 'group';
      readonly recipientUuid: string;
    };
    /** Approved, rejected or expired. */
    approval_closed: ApprovalEvent;
  }
}

export function publishApprovalEvents(events: Events): void {
  for (const event of ['approval_requested', 'approval_closed'] as const)
    events.publish(event, { resource: 'approvals', objectOf: ({ approvalUuid }) => approvalUuid });
}
