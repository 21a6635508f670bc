// Makes audit records from what a use case knows. Pure: no I/O. Texts come from outside and are bounded here.
import type { AuditFacts, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { destinationsOf, type Destinations, type LoggingRules } from './logging-rules.ts';
import { describeParameters } from './parameters.ts';

/** An object that an operation was about. */
export interface AuditObject {
  readonly uuid?: string;
  readonly name?: string;
}

/** What a use case says about its change; who acted and in which request comes from the context. */
export interface AuditEntry {
  readonly objects?: readonly AuditObject[];
  /** The second party of an operation, such as the role that a user was given. */
  readonly affiliated?: { readonly resource: Resource; readonly objects: readonly AuditObject[] };
  /** Facts of the operation; those of the request's operation when absent. */
  readonly facts?: AuditFacts;
  readonly result?: 'success' | 'failure';
  /** Why it failed. */
  readonly message?: string;
  /** Compact outcome of the operation. Never a secret. */
  readonly data?: object;
  /** Parameters worth keeping. Never a secret. */
  readonly additional?: object;
  /** Stored in the database whatever the settings say. */
  readonly always?: true;
}

/** Values of a row of `audit_record`, ready for a batched insert, and where it goes. */
export type AuditRecord = AuditColumns & Destinations;

export type AuditColumns = {
  readonly node_id: string;
  readonly timestamp: string;
  readonly module: string;
  readonly operation: string;
  readonly operation_result: 'success' | 'failure';
  readonly resource: string;
  readonly resource_objects: readonly AuditObject[] | null;
  readonly affiliated_resource: string | null;
  readonly affiliated_objects: readonly AuditObject[] | null;
  readonly actor_type: string;
  readonly actor_auth_method: string;
  readonly actor_uuid: string | null;
  readonly actor_name: string | null;
  readonly source_method: string | null;
  readonly source_path: string | null;
  readonly source_content_type: string | null;
  readonly source_ip_address: string | null;
  readonly source_user_agent: string | null;
  readonly message: string | null;
  readonly operation_data: object | null;
  readonly additional_data: object | null;
};

/**
 * Longest texts kept: a record must stay small whatever a client sends; names and paths of honest clients are far
 * shorter.
 */
const MAX_NAME = 500;
const MAX_HEADER = 300;
const MAX_PATH = 2_000;
const MAX_MESSAGE = 4_000;
/** Address, method, identifiers. */
const MAX_WORD = 100;
/** What unauthenticated callers may leave: they can call as often as they like. */
const MAX_OF_STRANGERS = 300;

export interface RecordOptions {
  readonly entry: AuditEntry;
  readonly nodeId: string;
  readonly now: Date;
  readonly rules: LoggingRules;
}

export function recordOf(context: RequestContext, options: RecordOptions): AuditRecord {
  const { entry, nodeId, now, rules } = options;
  const facts = entry.facts ?? context.audit;
  if (!facts) throw new Error(`Request ${context.requestId} changes something but its operation has no audit facts.`);
  const { actor, source } = context;
  const isStranger = actor.type === 'anonymous';
  const destinations = destinationsOf(facts, rules);
  return {
    stored: entry.always ?? destinations.stored,
    printed: destinations.printed,
    node_id: nodeId,
    timestamp: now.toISOString(),
    module: facts.module,
    operation: facts.operation,
    operation_result: entry.result ?? 'success',
    resource: facts.resource,
    resource_objects: objectsOf(entry.objects),
    affiliated_resource: entry.affiliated?.resource ?? null,
    affiliated_objects: objectsOf(entry.affiliated?.objects),
    actor_type: actor.type,
    actor_auth_method: actor.authMethod,
    actor_uuid: actor.userUuid,
    actor_name: textOf(actor.username, MAX_NAME),
    source_method: textOf(source?.method, MAX_WORD),
    source_path: textOf(pathOf(context), isStranger ? MAX_OF_STRANGERS : MAX_PATH),
    source_content_type: textOf(source?.contentType, MAX_HEADER),
    source_ip_address: textOf(source?.ipAddress, MAX_WORD),
    source_user_agent: textOf(source?.userAgent, MAX_HEADER),
    message: textOf(entry.message, isStranger ? MAX_OF_STRANGERS : MAX_MESSAGE),
    operation_data: entry.data ?? null,
    additional_data: additionalOf(context, options),
  };
}

/** Verbose records keep the parameters of those who signed in; others may send anything. */
function additionalOf({ actor, parameters }: RequestContext, { entry, rules }: RecordOptions): object | null {
  if (!rules.auditLogs.verbose || !parameters || actor.type === 'anonymous') return entry.additional ?? null;
  return { ...entry.additional, parameters: describeParameters(parameters) };
}

/**
 * The path, and the query of callers who signed in. Others may put anything there: whole protocol messages, or a token
 * that was refused and must not lie where it can be read.
 */
const pathOf = ({ actor, source }: RequestContext): string | undefined =>
  actor.type === 'user' ? source?.path : source?.path.replace(/[?#].*$/s, '');

function objectsOf(objects: readonly AuditObject[] | undefined): readonly AuditObject[] | null {
  if (!objects || objects.length === 0) return null;
  return objects.map(({ uuid, name }) => ({
    ...(uuid === undefined ? {} : { uuid: storable(uuid.slice(0, MAX_WORD)) }),
    ...(name === undefined ? {} : { name: storable(name.slice(0, MAX_NAME)) }),
  }));
}

const textOf = (text: string | null | undefined, limit: number): string | null =>
  text === null || text === undefined ? null : storable(text.slice(0, limit));

/**
 * PostgreSQL stores neither NUL nor lone surrogates; a client must not be able to prevent its record by sending one.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** As JSON writes what cannot be stored. Text that looks so may be something else; it is looked at one by one. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The JSON text of records as the insert statement takes it. */
export function recordsAsJson(records: readonly AuditRecord[]): string {
  const text = JSON.stringify(records);
  if (!MAYBE_UNSTORABLE.test(text)) return text;
  return JSON.stringify(records, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}
