// Error for a second caller who requests a successor: a certificate has only one successor at a time. The database
// rejects the reservation of a second one, so this also holds across nodes and after a crash.
import { AppError } from '../../../kernel/errors.ts';

/** An existing request for a certificate's successor. */
export interface SuccessorRequest {
  readonly predecessorUuid: string;
  readonly successorUuid: string;
  readonly state: 'awaiting_approval' | 'pending' | 'done';
  readonly requesterName: string;
  readonly createdAt: Date;
}

/** Error if another caller came first; `underWay` is that caller's request. */
export class SuccessorInProgress extends AppError<'invalid_state'> {
  readonly underWay: SuccessorRequest;

  constructor(name: string, underWay: SuccessorRequest) {
    super('invalid_state', describeInProgress(name, underWay), { objectUuid: underWay.successorUuid });
    this.underWay = underWay;
  }
}

const WORDS: Readonly<Record<SuccessorRequest['state'], { readonly is: string; readonly needed: string }>> = {
  awaiting_approval: {
    is: 'waits for approval',
    needed: 'a decision on that approval first',
  },
  pending: {
    is: 'is being issued',
    needed: 'that issuance to finish first; use its result, or retry after it has finished',
  },
  done: {
    is: 'was issued while this request was in progress',
    needed: 'a request sent after that; use that certificate, or retry',
  },
};

const describeInProgress = (name: string, { state, successorUuid, requesterName, createdAt }: SuccessorRequest) => ({
  what: 'Certificate',
  name,
  state: `being renewed: its successor ${successorUuid}, requested by ${requesterName} at ${createdAt.toISOString()}, ${WORDS[state].is}`,
  needed: WORDS[state].needed,
});
