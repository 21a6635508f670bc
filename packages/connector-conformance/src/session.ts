// A run of checks: carries out each, holds every answer against the contract, and keeps what was found, with the
// exchange that shows it. Checks depend on each other, so they run one after another.
import { refusalProblem } from './refusals.ts';
import { readLeniently, type FunctionGroupCode, type Operation } from '@signetry/contract';
import type { z } from 'zod';
import type { Reach, Reply, Request } from './reach.ts';
import { createSecrets, type Secrets } from './report/redact.ts';
import type { CheckResult, Evidence } from './report/result.ts';

/** A reason to fail the check that is running. */
export class Finding extends Error {
  readonly expected: string;

  constructor(problem: string, expected: string) {
    super(problem);
    this.name = 'Finding';
    this.expected = expected;
  }
}

/** The connector says that it lacks what the check is about. */
export class NotOffered extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'NotOffered';
  }
}

/** What the check needs was not found by an earlier one. */
class NotChecked extends Error {}

/** Fails the check unless the condition holds. */
export function expect(holds: boolean, problem: string, expected: string): asserts holds {
  if (!holds) throw new Finding(problem, expected);
}

/** The result of an earlier check that this one builds on. */
export function from<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new NotChecked(`Depends on a check that did not pass: ${what}.`);
  return value;
}

export interface Call {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** The answer to an operation, with defaults applied. */
export type Answer<Op extends Operation> = Op['success'] extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

export interface CheckScope {
  readonly group?: FunctionGroupCode;
  readonly kind?: string;
}

/** Longest wait for one answer: platforms give the slowest operations three minutes. */
const CALL_MS = 180_000;

export class Session {
  readonly results: CheckResult[] = [];
  readonly secrets: Secrets = createSecrets();
  readonly #reach: Reach;
  readonly #signal: AbortSignal | undefined;
  readonly #onResult: ((result: CheckResult) => void) | undefined;
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  /** Of the check that runs: where answers differ from the document, and platforms read them all the same. */
  #notes: string[] = [];
  /** What a finding is about, even where the check itself sent nothing. */
  #last: { readonly request: Request; readonly reply: Reply | undefined } | undefined;

  constructor(
    reach: Reach,
    options: { signal?: AbortSignal | undefined; onResult?: ((result: CheckResult) => void) | undefined } = {},
  ) {
    this.#reach = reach;
    this.#signal = options.signal;
    this.#onResult = options.onResult;
  }

  /** Carries out a check; answers what it yields, unless it does not pass. */
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
    if (error instanceof NotOffered) return { outcome: 'notOffered', problem: error.message };
    if (error instanceof NotChecked) return { outcome: 'notChecked', problem: error.message };
    const problem = this.secrets.hide(error instanceof Error ? reasonOf(error) : String(error));
    const evidence = this.#evidence(error instanceof Finding ? error.expected : 'an answer');
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

  /** Something that undoes what a check left at the connector. */
  defer(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  /** Undoes what is left, the latest first. What cannot be undone is no finding: removal has checks of its own. */
  async cleanUp(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup().catch(() => undefined);
  }

  /** One exchange, whatever comes of it. */
  async exchange(request: Request): Promise<Reply> {
    this.#last = { request, reply: undefined };
    const timeout = AbortSignal.timeout(CALL_MS);
    const signal = this.#signal ? AbortSignal.any([this.#signal, timeout]) : timeout;
    const reply = await this.#reach({ ...request, signal });
    this.#last = { request, reply };
    expect(!this.secrets.isIn(reply.text), 'The answer holds a secret that was sent.', 'an answer without secrets');
    return reply;
  }

  /** Calls an operation that must succeed; answers its parsed body. */
  async ask<Op extends Operation>(operation: Op, call: Call = {}): Promise<Answer<Op>> {
    const reply = await this.exchange(requestOf(operation, call));
    const { body: schema, status } = operation.success;
    const expected = `${status}${schema ? ` with ${nameOf(schema)}` : ''}`;
    expect(isSuccess(reply), `"${operation.summary}" is refused.`, expected);
    if (!schema) return undefined as Answer<Op>; // an operation without body
    return parsed(reply, schema, expected, (note) => this.#notes.push(`${operation.id}: ${note}`)) as Answer<Op>;
  }

  /** Calls an operation that must be refused, in words. */
  async refused(operation: Operation, call: Call, statuses: readonly number[]): Promise<void> {
    this.requireRefusal(operation, await this.exchange(requestOf(operation, call)), statuses);
  }

  /** The reply must be a refusal of the right form. */
  requireRefusal(operation: Operation, reply: Reply, statuses: readonly number[]): void {
    const expected = `${statuses.join(' or ')}, in words`;
    expect(!isSuccess(reply), `"${operation.summary}" is carried out.`, expected);
    expect(statuses.includes(reply.status), `It is refused with ${reply.status}.`, expected);
    const problem = refusalProblem(reply);
    expect(problem === undefined, `The refusal ${problem}.`, expected);
  }
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** The answer by its schema, as platforms read it: where they are lenient, that is noted. */
export function parsed<Schema extends z.ZodType>(
  reply: Reply,
  schema: Schema,
  expected: string,
  note: (problem: string) => void = () => undefined,
): z.output<Schema> {
  const answer = jsonOf(reply, expected);
  const strict = schema.safeParse(answer);
  if (strict.success) return strict.data;
  const lenient = readLeniently(schema, answer, 'connector');
  if (!lenient.success) throw new Finding(`The answer breaks the contract: ${problemsIn(lenient.error)}.`, expected);
  note(problemsIn(strict.error));
  return lenient.data as z.output<Schema>; // by the same schema
}

/** Issues that are listed. */
const MAX_ISSUES = 3;

const problemsIn = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
    .join('; ');

function jsonOf({ text }: Reply, expected: string): unknown {
  try {
    return JSON.parse(text, withoutNulls) as unknown;
  } catch {
    throw new Finding(text === '' ? 'The answer has no body.' : 'The answer is not JSON.', expected);
  }
}

/** Null stands for an absent member at connectors of some languages, and platforms read it so. */
function withoutNulls(this: unknown, _member: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
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
  const element = 'element' in schema ? (schema.element as z.ZodType).meta()?.['id'] : undefined; // of an array schema
  return typeof element === 'string' ? `a list of ${element}` : 'a body';
};

function reasonOf(error: Error): string {
  if (error instanceof Finding) return error.message;
  const { cause } = error;
  return `There was no answer: ${cause instanceof Error && cause.message !== '' ? cause.message : error.message}.`;
}
