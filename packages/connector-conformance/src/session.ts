// A run of checks: performs each one, validates every response against the contract, and stores the results with the
// relevant exchange. Checks depend on each other, so they run sequentially.
import { hasOtherReason, rejectionProblem } from './rejections.ts';
import { parseJsonText, readLeniently, type FunctionGroupCode, type Operation } from '@signetry/contract';
import type { z } from 'zod';
import type { Transport, Reply, Request } from './transport.ts';
import { createSecrets, type Secrets } from './report/redact.ts';
import type { CheckResult, Evidence } from './report/result.ts';

/** A reason to fail the current check. */
export class Finding extends Error {
  readonly expected: string;

  constructor(problem: string, expected: string) {
    super(problem);
    this.name = 'Finding';
    this.expected = expected;
  }
}

/** The connector does not offer the subject of the check. */
export class NotOfferedError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'NotOfferedError';
  }
}

/** An earlier check that the current one depends on did not pass. */
class NotCheckedError extends Error {}

/** Fails the check unless the condition holds. */
export function expect(holds: boolean, problem: string, expected: string): asserts holds {
  if (!holds) throw new Finding(problem, expected);
}

/** Returns the result of an earlier check that the current one depends on. */
export function requireResult<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new NotCheckedError(`Depends on a check that did not pass: ${what}.`);
  return value;
}

export interface Call {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Response to an operation, with defaults applied. */
export type ResponseOf<Op extends Operation> = Op['success'] extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

export interface CheckScope {
  readonly group?: FunctionGroupCode;
  readonly kind?: string;
}

/** Timeout of a call: platforms allow three minutes for the slowest operations. */
const CALL_MS = 180_000;

export class Session {
  readonly results: CheckResult[] = [];
  readonly secrets: Secrets = createSecrets();
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;
  readonly #onResult: ((result: CheckResult) => void) | undefined;
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  /** Deviations from the document that platforms accept, found in the current check. */
  #notes: string[] = [];
  /** Latest exchange: the evidence for a finding, even if the check itself sent nothing. */
  #last: { readonly request: Request; readonly reply: Reply | undefined } | undefined;

  constructor(
    transport: Transport,
    options: { signal?: AbortSignal | undefined; onResult?: ((result: CheckResult) => void) | undefined } = {},
  ) {
    this.#transport = transport;
    this.#signal = options.signal;
    this.#onResult = options.onResult;
  }

  /** Performs a check; returns its value, or undefined if it does not pass. */
  async check<Value>(place: CheckScope, title: string, run: () => Promise<Value>): Promise<Value | undefined> {
    this.#signal?.throwIfAborted();
    this.#notes = [];
    try {
      const value = await run();
      this.#record({ ...place, check: title, outcome: 'passed' });
      return value;
    } catch (error) {
      this.#signal?.throwIfAborted();
      this.#record({ ...place, check: title, ...this.#outcomeOf(error) });
      return undefined;
    }
  }

  #record(result: CheckResult): void {
    const notes = [...new Set(this.#notes)];
    const noted = notes.length > 0 ? { ...result, notes } : result;
    this.results.push(noted);
    this.#onResult?.(noted);
  }

  #outcomeOf(error: unknown): Pick<CheckResult, 'outcome' | 'problem' | 'evidence'> {
    if (error instanceof NotOfferedError) return { outcome: 'notOffered', problem: error.message };
    if (error instanceof NotCheckedError) return { outcome: 'notChecked', problem: error.message };
    const problem = this.secrets.hide(error instanceof Error ? reasonOf(error) : String(error));
    const evidence = this.#evidence(error instanceof Finding ? error.expected : 'a response');
    return { outcome: 'failed', problem, ...(evidence ? { evidence } : {}) };
  }

  #evidence(expected: string): Evidence | undefined {
    if (!this.#last) return undefined;
    const { request, reply } = this.#last;
    return {
      sent: this.secrets.describeRequest(request),
      received: reply ? this.secrets.describeReply(reply) : 'nothing',
      expected,
    };
  }

  /** Registers a function that undoes what a check left in the connector. */
  defer(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  /** Undoes what is left, newest first. Failures are ignored: removal has its own checks. */
  async cleanUp(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup().catch(() => undefined);
  }

  /** Performs one exchange, regardless of its status. */
  async exchange(request: Request): Promise<Reply> {
    this.#last = { request, reply: undefined };
    const timeout = AbortSignal.timeout(CALL_MS);
    const signal = this.#signal ? AbortSignal.any([this.#signal, timeout]) : timeout;
    const reply = await this.#transport({ ...request, signal });
    this.#last = { request, reply };
    expect(
      !this.secrets.isIn(reply.text),
      'The response contains a secret from a request.',
      'a response without secrets',
    );
    return reply;
  }

  /** Calls an operation that must succeed; returns its parsed body. */
  async ask<Op extends Operation>(operation: Op, call: Call = {}): Promise<ResponseOf<Op>> {
    const reply = await this.exchange(requestOf(operation, call));
    const { body: schema, status } = operation.success;
    const expected = `${status}${schema ? ` with ${nameOf(schema)}` : ''}`;
    expect(isSuccess(reply), `The connector rejected "${operation.summary}".`, expected);
    if (!schema) return undefined as ResponseOf<Op>; // An operation without a body.
    return parseReply(reply, schema, expected, (note) =>
      this.#notes.push(`${operation.id}: ${note}`),
    ) as ResponseOf<Op>;
  }

  /** Calls an operation that must be rejected with a message. */
  async refused(operation: Operation, call: Call, statuses: readonly number[]): Promise<void> {
    this.requireRefusal(operation, await this.exchange(requestOf(operation, call)), statuses);
  }

  /** Requires the reply to be a well-formed rejection. */
  requireRefusal(operation: Operation, reply: Reply, statuses: readonly number[]): void {
    const expected = `${statuses.join(' or ')}, with an error message`;
    expect(!isSuccess(reply), `The connector did not reject "${operation.summary}".`, expected);
    expect(statuses.includes(reply.status), `The status of the rejection is ${reply.status}.`, expected);
    const problem = rejectionProblem(reply);
    if (problem !== undefined && hasOtherReason(reply)) this.#notes.push(`${operation.id}: The rejection ${problem}`);
    else expect(problem === undefined, `The rejection ${problem}.`, expected);
  }
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** Parses a response by its schema as platforms do, and notes deviations that they accept. */
export function parseReply<Schema extends z.ZodType>(
  reply: Reply,
  schema: Schema,
  expected: string,
  note: (problem: string) => void = () => undefined,
): z.output<Schema> {
  const answer = jsonOf(reply, expected);
  const strict = schema.safeParse(answer);
  if (strict.success) return strict.data;
  const lenient = readLeniently(schema, answer, 'connector');
  if (!lenient.success && answer === undefined) throw new Finding('The response has no body.', expected);
  if (!lenient.success)
    throw new Finding(`The response violates the contract: ${problemsIn(lenient.error)}.`, expected);
  note(answer === undefined ? 'The response has no body' : problemsIn(strict.error));
  return lenient.data as z.output<Schema>; // Parsed by the same schema.
}

/** Maximum number of issues shown. */
const MAX_ISSUES = 3;

const problemsIn = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
    .join('; ');

function jsonOf({ text }: Reply, expected: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    throw new Finding('The response is not JSON.', expected);
  }
}

export function requestOf(operation: Operation, { params = {}, query, body, idempotencyKey }: Call): Request {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(query).toString();
  return { method: operation.method, target: search === '' ? path : `${path}?${search}`, body, idempotencyKey };
}

const nameOf = (schema: z.ZodType): string => {
  const id = schema.meta()?.['id'];
  if (typeof id === 'string') return id;
  // Element of an array schema.
  const element = 'element' in schema ? (schema.element as z.ZodType).meta()?.['id'] : undefined;
  return typeof element === 'string' ? `a list of ${element}` : 'a body';
};

function reasonOf(error: Error): string {
  if (error instanceof Finding) return error.message;
  const { cause } = error;
  return `No response: ${cause instanceof Error && cause.message !== '' ? cause.message : error.message}.`;
}
