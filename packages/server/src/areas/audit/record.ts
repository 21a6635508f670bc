// Builds audit records from what a use case reports. Pure: no I/O. Texts come from outside, so their length is limited
// here.
import type { AuditFacts, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { destinationsOf, type Destinations, type LoggingRules } from './logging-rules.ts';
import { describeParameters } from './parameters.ts';

/** Object affected by an operation. */
export interface AuditObject {
  readonly uuid?: string;
  readonly name?: string;
}

/** A use case's description of a change. The actor and the request come from the context. */
export interface AuditEntry {
  readonly objects?: readonly AuditObject[];
  /** Second party of an operation, such as the role that was assigned to a user. */
  readonly affiliated?: { readonly resource: Resource; readonly objects: readonly AuditObject[] };
  /** Facts about the operation. Default: those of the requested API operation. */
  readonly facts?: AuditFacts;
  readonly result?: 'success' | 'failure';
  /** Reason for the failure. */
  readonly message?: string;
  /** Compact outcome of the operation. Must never contain a secret. */
  readonly data?: object;
  /** Additional parameters. Must never contain a secret. */
  readonly additional?: object;
  /** Whether the record is stored in the database regardless of the settings. */
  readonly always?: true;
}

/** Values for an `audit_record` row, ready for a batched insert, and the record's destinations. */
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
 * Maximum lengths of stored texts: a record must stay small no matter what a client sends. Names and paths of
 * legitimate clients are far shorter.
 */
const MAX_NAME = 500;
const MAX_HEADER = 300;
const MAX_PATH = 2_000;
const MAX_MESSAGE = 4_000;
/** Maximum length of IP addresses, methods and identifiers. */
const MAX_WORD = 100;
/** Limit for unauthenticated callers, who can send any number of requests. */
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
  if (!facts) throw new Error(`Request ${context.requestId} changes state, but its operation has no audit facts.`);
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

/** Verbose records include only the parameters of authenticated callers, because other callers could send anything. */
function additionalOf({ actor, parameters }: RequestContext, { entry, rules }: RecordOptions): object | null {
  if (!rules.auditLogs.verbose || !parameters || actor.type === 'anonymous') return entry.additional ?? null;
  return { ...entry.additional, parameters: describeParameters(parameters) };
}

/**
 * Returns the path, with the query only for authenticated callers. Others could send anything there: whole protocol
 * messages, or a rejected token that must not be stored in cleartext.
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
 * PostgreSQL cannot store NUL or lone surrogates, and a client must not be able to suppress its record by sending one.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * JSON escapes of characters that cannot be stored. Other text can look the same, so matching texts are examined one by
 * one.
 */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Returns records as JSON text for the insert statement. */
export function recordsAsJson(records: readonly AuditRecord[]): string {
  const text = JSON.stringify(records);
  if (!MAYBE_UNSTORABLE.test(text)) return text;
  return JSON.stringify(records, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}
