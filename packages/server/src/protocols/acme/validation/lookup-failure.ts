// Why a DNS question stayed open, from the codes of Node, and how it is told to the client: the name that was asked for
// and what would help, never anything that a server answered.
import { ValidationFailure } from './challenge.ts';
import { TimeIsUp } from './time-limit.ts';

/** What is wrong with the aliases of a name: they lead back to one of them, or to ever more. */
export type AliasProblem = 'aliasLoop' | 'aliasChain';

type Reason =
  'noName' | 'noData' | 'servfail' | 'refused' | 'timeout' | 'unreachable' | 'unreadable' | AliasProblem | 'failed';

const REASONS: Readonly<Record<string, Reason>> = {
  ENOTFOUND: 'noName',
  ENODATA: 'noData',
  ESERVFAIL: 'servfail',
  EAI_AGAIN: 'servfail',
  EREFUSED: 'refused',
  ETIMEOUT: 'timeout',
  ECONNREFUSED: 'unreachable',
  EBADRESP: 'unreadable',
  EFORMERR: 'unreadable',
};

const TEXTS: Readonly<Record<Reason, string>> = {
  noName: 'the name does not exist',
  noData: 'the name has no such record',
  servfail: 'the resolver got no answer from the servers of the zone (SERVFAIL); check its delegation and DNSSEC',
  refused: 'the resolver refused the question; check the resolver of the ACME profile',
  timeout: 'no answer came in time; check that the servers of the zone and the resolver of the ACME profile answer',
  unreachable: 'the resolver cannot be reached; check the resolver of the ACME profile',
  unreadable: 'the answer could not be read',
  aliasLoop: 'its CNAME records form a loop; one of them must lead to a name with other records',
  aliasChain: 'its CNAME records form a chain of more than 8',
  failed: 'the look-up failed',
};

export class LookupFailure extends Error {
  readonly reason: Reason;

  constructor(cause: unknown) {
    const reason = cause === 'aliasLoop' || cause === 'aliasChain' ? cause : reasonOf(cause);
    super(TEXTS[reason], { cause });
    this.name = 'LookupFailure';
    this.reason = reason;
  }

  /** `what` names the records and the name that we asked for. */
  toValidationFailure(what: string): ValidationFailure {
    const detail = `Looking up ${what} failed: ${TEXTS[this.reason]}.`;
    return new ValidationFailure({ type: 'dns', detail, mayChange: true, cause: this });
  }
}

function reasonOf(cause: unknown): Reason {
  if (!(cause instanceof Error)) return 'failed';
  if (cause instanceof TimeIsUp) return 'timeout';
  return ('code' in cause && REASONS[String(cause.code)]) || 'failed';
}
