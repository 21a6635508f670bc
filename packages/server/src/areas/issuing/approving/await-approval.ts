// Makes an operation wait for approval, in the transaction that reserves it.
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Approvals } from '../../approvals/index.ts';
import { insertHistory } from '../../certificates/index.ts';
import type { OperationKind } from '../tables.ts';
import type { Requester } from '../operations/work.ts';
import { suspend } from './store.ts';

/** Operation reserved in this transaction. */
export interface ReservedOperation {
  readonly operationUuid: string;
  readonly certificateUuid: string;
  readonly kind: OperationKind;
  readonly requester: Requester;
  readonly approvalProfileUuid: string;
  /** What was requested, if the kind does not identify it. */
  readonly purpose?: string | undefined;
}

export type AwaitApproval = (tx: Executor, reserved: ReservedOperation) => Promise<void>;

export const createAwaitApproval =
  (platform: Pick<Platform, 'clock'>, approvals: Pick<Approvals, 'request'>): AwaitApproval =>
  async (tx, { operationUuid, certificateUuid, kind, requester, approvalProfileUuid, purpose = kind }) => {
    const { uuid: creatorUuid, name } = requester;
    if (creatorUuid === null) throw new Error(`Operation ${operationUuid} waits for approval but has no requester.`);
    const at = platform.clock.now();
    await suspend(tx, { uuid: operationUuid, certificate_uuid: certificateUuid, kind }, at);
    const approval = await approvals.request(tx, {
      approvalProfileUuid,
      resource: 'certificates',
      action: kind,
      objectUuid: certificateUuid,
      creator: { uuid: creatorUuid, name },
    });
    const entry = {
      certificate_uuid: certificateUuid,
      event: 'Approve action requested',
      status: 'SUCCESS',
      message: `Waiting for approval to ${purpose} under approval profile ${approval.profileName} until ${approval.expiresAt.toISOString()}`,
      additional: { approvalUuid: approval.uuid },
    } as const;
    await insertHistory(tx, [entry], { at, by: name });
  };
