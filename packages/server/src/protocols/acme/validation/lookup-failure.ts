// Reasons for failed DNS queries, derived from Node's error codes, and their texts for the client: they contain the
// queried name and a suggested fix, but never data from a DNS server.
import { ValidationFailure } from './challenge.ts';
import { TimeLimitExceeded } from './time-limit.ts';

/** Problem with the aliases of a name: a loop, or too many aliases. */
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
  noData: 'the name has no records of this type',
  servfail: "the resolver got no response from the zone's name servers (SERVFAIL); check the delegation and DNSSEC",
  refused: 'the resolver refused the query; check the resolver setting of the ACME profile',
  timeout: "the query timed out; check that the zone's name servers and the resolver of the ACME profile respond",
  unreachable: 'the resolver cannot be reached; check the resolver setting of the ACME profile',
  unreadable: 'the response could not be parsed',
  aliasLoop: 'its CNAME records form a loop; one of them must point to a name with other records',
  aliasChain: 'its CNAME chain has more than 8 records',
  failed: 'the lookup failed',
};

export class LookupFailure extends Error {
  readonly reason: Reason;

  constructor(cause: unknown) {
    const reason = cause === 'aliasLoop' || cause === 'aliasChain' ? cause : reasonOf(cause);
    super(TEXTS[reason], { cause });
    this.name = 'LookupFailure';
    this.reason = reason;
  }

  /** `what` specifies the records and the queried name. */
  toValidationFailure(what: string): ValidationFailure {
    const detail = `Cannot look up ${what}: ${TEXTS[this.reason]}.`;
    return new ValidationFailure({ type: 'dns', detail, mayChange: true, cause: this });
  }
}

function reasonOf(cause: unknown): Reason {
  if (!(cause instanceof Error)) return 'failed';
  if (cause instanceof TimeLimitExceeded) return 'timeout';
  return ('code' in cause && REASONS[String(cause.code)]) || 'failed';
}
