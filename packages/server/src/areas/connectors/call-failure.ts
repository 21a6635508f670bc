// Why a call to a connector brought no result, and what is known about its effect. "Unknown" is an outcome of its own:
// whoever issues certificates must not take it for a failure.
import { AppError, isAppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';

/**
 * `notCarriedOut`: the connector never got the request, or refused it. `unknown`: nobody can tell, e.g. after a
 * time-out, a reset behind the request, or an answer that reports a failure: it may have come after the effect.
 */
export type CallOutcome = 'notCarriedOut' | 'unknown';

export type FailureKind =
  'unavailable' | 'unreachable' | 'forbidden' | 'failed' | 'refused' | 'notFound' | 'notOffered' | 'rejected';

export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly outcome: CallOutcome;
  readonly status: number | undefined;
  /** The connector's own words, bounded, without secrets that it was sent. Answers mark them as the connector's. */
  readonly remoteMessage: string | undefined;
  /** The list of complaints of a 422 answer, which the interface hands on. */
  readonly problems: readonly string[];
  /** How long the connector wants to be left alone (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  /** Did the caller, or a stop of the platform, end the call? Nothing is known of the connector then. */
  readonly isGivenUp: boolean;
  /** Did the connector report success, in an answer that cannot be used? Another call would repeat the effect. */
  readonly isAnswered: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    facts: {
      outcome: CallOutcome;
      status?: number;
      remoteMessage?: string | undefined;
      problems?: readonly string[];
      retryAfterSeconds?: number | undefined;
      isGivenUp?: boolean;
      isAnswered?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'CallFailure';
    this.kind = kind;
    this.outcome = facts.outcome;
    this.status = facts.status;
    this.remoteMessage = facts.remoteMessage;
    this.problems = facts.problems ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.isGivenUp = facts.isGivenUp ?? false;
    this.isAnswered = facts.isAnswered ?? false;
  }
}

const MAX_PROBLEMS = 100;
const MAX_TEXT_CHARACTERS = 500;

/** Text of a connector without control characters, bounded. */
export const boundedText = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_TEXT_CHARACTERS);

export interface AnswerFacts {
  readonly cause?: unknown;
  /** What was sent: secrets in it are not repeated. */
  readonly sent?: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

/** An answer that is not a success, over either transport. `body` is the parsed JSON, if any. */
export function failureOfStatus(status: number, body: unknown, { sent, ...answer }: AnswerFacts = {}): CallFailure {
  const hide = hidingSecretsOf(sent);
  const remoteMessage = messageOf(body, hide);
  const facts = { status, remoteMessage, ...answer };
  if (status === 404)
    return new CallFailure('notFound', 'the object does not exist there', { ...facts, outcome: 'notCarriedOut' });
  if (status === 422) {
    const problems = Array.isArray(body)
      ? body.slice(0, MAX_PROBLEMS).map((problem) => boundedText(hide(String(problem))))
      : [remoteMessage ?? []].flat();
    return new CallFailure('rejected', 'its rules refuse the request', {
      ...facts,
      problems,
      outcome: 'notCarriedOut',
    });
  }
  const outcome = outcomeOf(status);
  if (status === 501) return new CallFailure('notOffered', 'does not offer this', { ...facts, outcome });
  if (status >= 500) return new CallFailure('failed', `it answered with status ${status}`, { ...facts, outcome });
  const problem = status < 400 ? 'it answered with a redirect or an unexpected status' : 'no reason given';
  return new CallFailure('refused', problem, { ...facts, outcome });
}

/** The resource is elsewhere and the request was not acted on (RFC 9110 §15.4.2, §15.4.8, §15.4.9). */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * Clients' errors (4xx) come before the effect. Servers' errors may come after it, or from something between that gave
 * up; only 501 says that the method is not there (RFC 9110 §15.6.2). A redirect like 303 is the usual answer to what
 * was done.
 */
function outcomeOf(status: number): CallOutcome {
  const isRefusal = status >= 400 && status < 500;
  return isRefusal || status === 501 || MOVED.has(status) ? 'notCarriedOut' : 'unknown';
}

/** What frameworks put around the reason of an error, the most telling first. */
function messageOf(body: unknown, hide: (text: string) => string): string | undefined {
  if (typeof body === 'string') return nonBlank(boundedText(hide(body)));
  if (!isObject(body)) return undefined;
  if (Array.isArray(body)) return nonBlank(boundedText(hide(body.map(String).join(' '))));
  const { message, errors, error } = body as Readonly<Record<string, unknown>>; // an object, as said before
  const own = typeof message === 'string' ? message.trim() : '';
  const inner = [errors]
    .flat()
    .flatMap((each) => (isObject(each) && 'error' in each && typeof each.error === 'string' ? [each.error] : []));
  const told = [own, ...inner].filter((text) => text !== '').join(': ');
  return nonBlank(boundedText(hide(told || (typeof error === 'string' ? error : ''))));
}

/** Shorter ones would hide parts of words. */
const SHORTEST_HIDDEN = 4;

function hidingSecretsOf(sent: unknown): (text: string) => string {
  const secrets = secretsIn(sent).filter((secret) => secret.length >= SHORTEST_HIDDEN);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
}

/** Values of attributes hold them under this name, also those of credentials. */
function secretsIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'secret' && typeof member === 'string' ? [member] : secretsIn(member),
  );
}

const nonBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

/** Connectors may end what they say with one, and the message of the platform has its own. */
const withoutFullStop = (text: string): string => text.replace(/\.$/, '');

/** The refusal that a caller of the platform sees; the failure stays its cause. */
export function asAppError(failure: CallFailure, facts: { connector: string; objectId: string }): AppError {
  const { connector } = facts;
  const options = { cause: failure };
  switch (failure.kind) {
    case 'unavailable':
      return new AppError('unavailable', { reason: withoutFullStop(failure.message) }, options);
    case 'unreachable':
      return new AppError('connector_unreachable', { connector, reason: withoutFullStop(failure.message) }, options);
    case 'failed':
      return new AppError('connector_failed', { connector, problem: failure.message }, options);
    case 'refused': {
      const { status = 400, message: problem } = failure;
      // A redirect is no refusal of what the caller asked for: the connector is not where it says it is.
      if (status < 400)
        return new AppError('connector_failed', { connector, problem: `${problem} (${status})` }, options);
      return new AppError('connector_refused', { connector, status, problem: quoted(failure) ?? problem }, options);
    }
    case 'notFound': {
      const said = quoted(failure);
      const at = `Connector ${connector} returned 404 (not found)${said ? `: ${said}` : ''}.`;
      return new AppError(
        'object_not_found',
        { what: `Object of connector ${connector}`, id: facts.objectId, at },
        options,
      );
    }
    case 'notOffered':
      return new AppError(
        'rejected_by_rules',
        { problems: [`Connector ${connector} ${withReason(failure)}`] },
        options,
      );
    case 'forbidden':
      return new AppError('rejected_by_rules', { problems: [`Connector ${connector}: ${failure.message}`] }, options);
    case 'rejected': {
      const problems = failure.problems.length > 0 ? failure.problems : [`Connector ${connector} refuses the request.`];
      return new AppError('rejected_by_rules', { problems }, options);
    }
  }
}

/** The connector's own words, marked as such. */
const quoted = ({ remoteMessage }: CallFailure): string | undefined =>
  remoteMessage === undefined ? undefined : `it says "${withoutFullStop(remoteMessage)}"`;

const withReason = (failure: CallFailure): string => {
  const said = quoted(failure);
  return said === undefined ? failure.message : `${failure.message}: ${said}.`;
};

/** The refusal of a failed call, with what its failure means for the object that the caller asked for. */
export function explained(error: unknown, meaning: string): unknown {
  const failure = callFailureOf(error);
  if (!failure || !isAppError(error) || !('connector' in error.parameters)) return error;
  const { kind, status, outcome, remoteMessage } = failure;
  const facts = { outcome, remoteMessage, cause: error, ...(status === undefined ? {} : { status }) };
  const words = `${failure.message}; ${meaning}`;
  return asAppError(new CallFailure(kind, words, facts), { connector: error.parameters.connector, objectId: '' });
}

/** Is the operation not there, or not what it is asked about? */
export const isMissing = (error: unknown): boolean => {
  const kind = callFailureOf(error)?.kind;
  return kind === 'notFound' || kind === 'notOffered';
};

/** The failed call behind an error; undefined when the error has another reason. */
export function callFailureOf(error: unknown): CallFailure | undefined {
  let current = error;
  // Causes may refer to each other in a cycle.
  for (let depth = 0; depth < 10 && current instanceof Error; depth += 1) {
    if (current instanceof CallFailure) return current;
    current = current.cause;
  }
  return undefined;
}

/** What is known about the effect of the call behind an error. */
export const callOutcome = (error: unknown): CallOutcome | undefined => callFailureOf(error)?.outcome;

/** Might the connector have carried out the request although no result came? */
export const isOutcomeUnknown = (error: unknown): boolean => callOutcome(error) === 'unknown';
