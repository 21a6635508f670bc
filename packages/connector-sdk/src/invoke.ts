// Performs one call on a connector. Both transports use it, so a connector behaves the same in the platform's process
// and on its own port: same validation, same errors.
import {
  connectorBaseOperations,
  readLeniently,
  type Operation,
  type OperationResponse,
  type OperationRequest,
} from '@signetry/contract';
import type { z } from 'zod';
import { ConnectorError, isConnectorError, malformed } from './connector-error.ts';
import type { Connector, Implementation, RunningConnector } from './connector.ts';
import { kindsOf, listSupportedFunctions } from './supported-functions.ts';

export type ConnectorCall<Op extends Operation = Operation> = OperationRequest<Op> & {
  /**
   * Idempotency key. A repeated call with the same key returns the same result without a second effect, if the
   * connector supports this.
   */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The call has no effect before this resolves; see `CallFacts`. */
  readonly committed?: Promise<void> | undefined;
};

export interface InvokeOptions {
  /**
   * Also validates responses. Default: enabled in tests and development (`NODE_ENV`), where the author of a handler
   * sees the mistake; disabled in production, because of its cost.
   */
  readonly checkAnswers?: boolean;
}

const { NODE_ENV } = process.env;
const checksAnswersByDefault = NODE_ENV === 'test' || NODE_ENV === 'development';

/** Maximum length of an idempotency key. Our keys are UUIDs, but other platforms may use longer ones. */
const MAX_IDEMPOTENCY_KEY = 255;

/** Throws only `ConnectorError`; an unexpected handler error becomes a 500 with that error as its cause. */
export async function invoke<Op extends Operation>(
  running: RunningConnector,
  operation: Op,
  call: ConnectorCall<Op>,
  options: InvokeOptions = {},
): Promise<OperationResponse<Op>> {
  try {
    const answer = await carryOut(running, operation, call);
    if (options.checkAnswers ?? checksAnswersByDefault) checkResponse(operation, answer);
    return answer as OperationResponse<Op>; // Handlers are typed by their operation where they are declared.
  } catch (error) {
    if (isConnectorError(error)) throw error;
    throw new ConnectorError(500, 'The connector failed unexpectedly.', { cause: error });
  }
}

async function carryOut(running: RunningConnector, operation: Operation, call: ConnectorCall): Promise<unknown> {
  if (operation.id === connectorBaseOperations.listSupportedFunctions.id) return listSupportedFunctions(running);
  if (operation.id === connectorBaseOperations.checkHealth.id) return running.health?.() ?? { status: 'ok' };
  const implementation = implementationOf(running, operation);
  if (!isBegunBeforeCommit(running, operation)) await call.committed;
  return implementation.handle({
    params: parse(operation.params, call.params ?? {}, 'The path'),
    query: parse(operation.query, call.query ?? {}, 'The query'),
    body: parseBody(operation, call.body),
    idempotencyKey: idempotencyKeyOf(call.idempotencyKey),
    signal: call.signal ?? neverAborted,
    committed: call.committed,
  } as never); // The input was parsed with the schemas of the handler's operation.
}

const isBegunBeforeCommit = ({ connector }: RunningConnector, { id }: Operation): boolean =>
  connector.begunBeforeCommit?.some((operation) => operation.id === id) ?? false;

function implementationOf(running: RunningConnector, operation: Operation): Implementation {
  const implementation = running.handlers[operation.id];
  if (implementation) return implementation;
  // The interface does not define 501; an undeclared endpoint does not exist.
  throw new ConnectorError(404, `The connector ${running.connector.name} does not offer "${operation.summary}".`);
}

const neverAborted = new AbortController().signal;

function parseBody(operation: Operation, body: unknown): unknown {
  if (body === undefined && operation.bodyOptional) return undefined;
  return parse(operation.body, body, 'The body');
}

function parse(schema: z.ZodType | undefined, given: unknown, part: string): unknown {
  if (!schema) return undefined;
  // A missing body must not be read as an empty list.
  const outcome =
    given === undefined || given === null ? schema.safeParse(given) : readLeniently(schema, given, 'connector');
  if (outcome.success) return outcome.data;
  throw malformed(`${part} does not match the schema: ${describeIssues(outcome.error)}.`, { cause: outcome.error });
}

/** Maximum number of reasons in one message. */
const MAX_ISSUES = 5;

const describeIssues = (error: z.ZodError): string =>
  error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ');

function idempotencyKeyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key !== '' && key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw malformed(`The idempotency key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters.`);
}

function checkResponse(operation: Operation, answer: unknown): void {
  const schema = operation.success.body;
  const outcome = schema?.safeParse(answer);
  if (outcome && !outcome.success) {
    throw new Error(`The response of ${operation.id} violates the contract: ${describeIssues(outcome.error)}.`);
  }
}

/** Rejects a function group or kind that the connector does not offer (404); for operations that name both. */
export function requireKind(
  running: { readonly connector: Pick<Connector, 'name' | 'functionGroups'> },
  params: { functionalGroup: string; kind: string },
): void {
  if (kindsOf(running.connector, params.functionalGroup).includes(params.kind)) return;
  throw new ConnectorError(
    404,
    `The connector ${running.connector.name} has no kind "${params.kind}" in ${params.functionalGroup}.`,
  );
}
