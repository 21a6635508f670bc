// Why a connector call produced no result, and what is known about its effect. "Unknown" is a separate outcome:
// issuance must not treat it as a failure.
import { AppError, isAppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';

/**
 * `notCarriedOut`: the connector did not receive the request, or rejected it. `unknown`: the effect cannot be
 * determined, e.g. after a timeout, a connection reset after sending, or an error response, which may follow the
 * effect.
 */
export type CallOutcome = 'notCarriedOut' | 'unknown';

export type FailureKind =
  'unavailable' | 'unreachable' | 'forbidden' | 'failed' | 'refused' | 'notFound' | 'notOffered' | 'rejected';

export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly outcome: CallOutcome;
  readonly status: number | undefined;
  /**
   * The connector's own message, limited in length and stripped of secrets that were sent to it. Responses attribute it
   * to the connector.
   */
  readonly remoteMessage: string | undefined;
  /** Problems listed in a 422 response, which the API passes on. */
  readonly problems: readonly string[];
  /** Delay requested by the connector (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the caller or a shutdown ended the call, so that it says nothing about the connector. */
  readonly isGivenUp: boolean;
  /** Whether the connector reported success but its response was unusable. A second call would repeat the effect. */
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

/** Returns a connector's text without control characters, limited in length. */
export const boundedText = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_TEXT_CHARACTERS);

export interface ResponseFacts {
  readonly cause?: unknown;
  /** Request that was sent: secrets in it are not repeated. */
  readonly sent?: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

/** Returns the failure for a non-success response, over either transport. `body` is the parsed JSON, if any. */
export function failureOfStatus(status: number, body: unknown, { sent, ...answer }: ResponseFacts = {}): CallFailure {
  const hide = createRedactor(sent);
  const remoteMessage = messageOf(body, hide);
  const facts = { status, remoteMessage, ...answer };
  if (status === 404)
    return new CallFailure('notFound', 'the object does not exist at the connector', {
      ...facts,
      outcome: 'notCarriedOut',
    });
  if (status === 422) {
    const problems = Array.isArray(body)
      ? body.slice(0, MAX_PROBLEMS).map((problem) => boundedText(hide(String(problem))))
      : [remoteMessage ?? []].flat();
    return new CallFailure('rejected', 'its rules reject the request', {
      ...facts,
      problems,
      outcome: 'notCarriedOut',
    });
  }
  const outcome = outcomeOf(status);
  if (status === 501) return new CallFailure('notOffered', 'does not offer this operation', { ...facts, outcome });
  if (status >= 500) return new CallFailure('failed', `it returned status ${status}`, { ...facts, outcome });
  const problem = status < 400 ? 'it returned a redirect or an unexpected status' : 'no reason given';
  return new CallFailure('refused', problem, { ...facts, outcome });
}

/** The resource has moved and the request was not processed (RFC 9110 §15.4.2, §15.4.8, §15.4.9). */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * Client errors (4xx) precede any effect. Server errors can follow it, or come from an intermediary that gave up; only
 * 501 states that the method is not implemented (RFC 9110 §15.6.2). A redirect such as 303 is the usual response to a
 * completed action.
 */
function outcomeOf(status: number): CallOutcome {
  const isRefusal = status >= 400 && status < 500;
  return isRefusal || status === 501 || MOVED.has(status) ? 'notCarriedOut' : 'unknown';
}

/** Returns the reason from the error structures of common frameworks, most specific first. */
function messageOf(body: unknown, hide: (text: string) => string): string | undefined {
  if (typeof body === 'string') return nonBlank(boundedText(hide(body)));
  if (!isObject(body)) return undefined;
  if (Array.isArray(body)) return nonBlank(boundedText(hide(body.map(String).join(' '))));
  // The check above ensures that this is an object.
  const { message, errors, error } = body as Readonly<Record<string, unknown>>;
  const own = typeof message === 'string' ? message.trim() : '';
  const inner = [errors]
    .flat()
    .flatMap((each) => (isObject(each) && 'error' in each && typeof each.error === 'string' ? [each.error] : []));
  const told = [own, ...inner].filter((text) => text !== '').join(': ');
  return nonBlank(boundedText(hide(told || (typeof error === 'string' ? error : ''))));
}

/** Hiding shorter secrets would mask parts of ordinary words. */
const SHORTEST_HIDDEN = 4;

function createRedactor(sent: unknown): (text: string) => string {
  const secrets = secretsIn(sent).filter((secret) => secret.length >= SHORTEST_HIDDEN);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
}

/** Attribute values store secrets under this name, including the secrets in credentials. */
function secretsIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'secret' && typeof member === 'string' ? [member] : secretsIn(member),
  );
}

const nonBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

/** A connector's message may end with a period, and the platform's message adds one. */
const withoutFullStop = (text: string): string => text.replace(/\.$/, '');

/** Returns the error for the platform's caller; the failure remains its cause. */
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
      // A redirect is not a rejection of the caller's request: it means that the connector is not at its registered
      // URL.
      if (status < 400)
        return new AppError('connector_failed', { connector, problem: `${problem} (${status})` }, options);
      return new AppError(
        'connector_refused',
        { connector, status, problem: quoteMessage(failure) ?? problem },
        options,
      );
    }
    case 'notFound': {
      const said = quoteMessage(failure);
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
      const problems =
        failure.problems.length > 0 ? failure.problems : [`Connector ${connector} rejected the request.`];
      return new AppError('rejected_by_rules', { problems }, options);
    }
  }
}

/** The connector's own message, attributed to it. */
const quoteMessage = ({ remoteMessage }: CallFailure): string | undefined =>
  remoteMessage === undefined ? undefined : `it reported "${withoutFullStop(remoteMessage)}"`;

const withReason = (failure: CallFailure): string => {
  const said = quoteMessage(failure);
  return said === undefined ? failure.message : `${failure.message}: ${said}.`;
};

/** Returns the error for a failed call, with what the failure means for the requested object. */
export function explainFailure(error: unknown, meaning: string): unknown {
  const failure = callFailureOf(error);
  if (!failure || !isAppError(error) || !('connector' in error.parameters)) return error;
  const { kind, status, outcome, remoteMessage } = failure;
  const facts = { outcome, remoteMessage, cause: error, ...(status === undefined ? {} : { status }) };
  const words = `${failure.message}; ${meaning}`;
  return asAppError(new CallFailure(kind, words, facts), { connector: error.parameters.connector, objectId: '' });
}

/** Returns whether the operation or its object does not exist at the connector. */
export const isMissing = (error: unknown): boolean => {
  const kind = callFailureOf(error)?.kind;
  return kind === 'notFound' || kind === 'notOffered';
};

/** Returns the failed call that caused an error; undefined if the error has a different cause. */
export function callFailureOf(error: unknown): CallFailure | undefined {
  let current = error;
  // Causes can form a cycle.
  for (let depth = 0; depth < 10 && current instanceof Error; depth += 1) {
    if (current instanceof CallFailure) return current;
    current = current.cause;
  }
  return undefined;
}

/** Returns what is known about the effect of the call that caused an error. */
export const callOutcome = (error: unknown): CallOutcome | undefined => callFailureOf(error)?.outcome;

/** Returns whether the connector may have carried out the request although no result was received. */
export const isOutcomeUnknown = (error: unknown): boolean => callOutcome(error) === 'unknown';
