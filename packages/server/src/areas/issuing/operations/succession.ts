// One certificate has one successor at a time. The reservation of a second one is refused, in the database, so that it
// holds between nodes and after a crash; this is what the second caller is told.
import { AppError } from '../../../kernel/errors.ts';

/** What is asked for in place of a certificate already. */
export interface UnderWay {
  readonly predecessorUuid: string;
  readonly successorUuid: string;
  readonly state: 'awaiting_approval' | 'pending' | 'done';
  readonly requesterName: string;
  readonly createdAt: Date;
}

/** Another caller was quicker; `underWay` is what that one asked for. */
export class SuccessorUnderWay extends AppError<'invalid_state'> {
  readonly underWay: UnderWay;

  constructor(name: string, underWay: UnderWay) {
    super('invalid_state', wordsOf(name, underWay), { objectUuid: underWay.successorUuid });
    this.underWay = underWay;
  }
}

const WORDS: Readonly<Record<UnderWay['state'], { readonly is: string; readonly needed: string }>> = {
  awaiting_approval: {
    is: 'waits for approval',
    needed: 'that the approval is decided first',
  },
  pending: {
    is: 'is being issued',
    needed: 'that this ends first; use its result, or try again when it has ended',
  },
  done: {
    is: 'was issued while this request was carried out',
    needed: 'a request that was sent after that; use that certificate, or try again',
  },
};

const wordsOf = (name: string, { state, successorUuid, requesterName, createdAt }: UnderWay) => ({
  what: 'Certificate',
  name,
  state: `being renewed: its successor ${successorUuid}, requested by ${requesterName} at ${createdAt.toISOString()}, ${WORDS[state].is}`,
  needed: WORDS[state].needed,
});
