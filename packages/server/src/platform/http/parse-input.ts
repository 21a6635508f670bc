// Parses a request's path, query and body with its operation's schemas, and reports problems.
import { readLeniently, type Operation, type OperationInput, type Partner } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';

export function parseInput(operation: Operation, request: FastifyRequest): OperationInput<Operation> {
  // A path can contain values that came from a connector, such as the algorithm of a key.
  const params = parsePart(operation.params, request.params, { place: 'path', partner: 'connector' });
  const isClosed = isExtension(operation);
  const query = parsePart(operation.query, toRepeated(operation.query, request.query), { place: 'query', isClosed });
  // The operation's schemas have determined the types.
  if (!operation.body) return { params, query, body: undefined } as OperationInput<Operation>;
  if (request.body === undefined && operation.bodyOptional)
    return { params, query, body: undefined } as OperationInput<Operation>;
  if (request.body === undefined) throw new AppError('malformed_request', { problem: 'the body is missing' });
  const documents422 = operation.errors.includes(422);
  const body = parsePart(operation.body, request.body, { place: 'body', isClosed, documents422 });
  return { params, query, body } as OperationInput<Operation>;
}

/**
 * Whether the operation is an extension of ours, which is parsed strictly: unknown fields are rejected, since they may
 * have been meant to narrow something, such as a token's scope.
 */
const isExtension = ({ path }: Operation): boolean => path.startsWith('/x/');

/** Converts list parameters to arrays, since a list parameter that occurs only once arrives as a single string. */
function toRepeated(schema: z.ZodObject | undefined, query: unknown): unknown {
  if (!schema) return query;
  const given = query as Record<string, unknown>; // Fastify's query parser returns an object of strings.
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field: z.ZodType | undefined = schema.shape[name] as z.ZodType | undefined;
      return [name, field && acceptsList(field) && !Array.isArray(value) ? [value] : value];
    }),
  );
}

function acceptsList(field: z.ZodType): boolean {
  if (field instanceof z.ZodArray) return true;
  // Inner types are also public schemas.
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return acceptsList(field.unwrap() as z.ZodType);
  return false;
}

/**
 * Constraint violations are business validation errors (422) if the operation documents 422; wrong types are always
 * 400.
 */
const CONSTRAINT_ISSUES = new Set(['too_small', 'too_big', 'invalid_format', 'not_multiple_of', 'custom']);

function parsePart(
  schema: z.ZodType | undefined,
  value: unknown,
  facts: {
    readonly place: string;
    readonly isClosed?: boolean;
    readonly documents422?: boolean;
    readonly partner?: Partner;
  },
): unknown {
  if (!schema) return undefined;
  const parsed = facts.isClosed ? schema.safeParse(value) : readLeniently(schema, value, facts.partner ?? 'client');
  if (parsed.success) {
    const unknown = facts.isClosed ? unknownMembers(value, parsed.data) : [];
    if (unknown.length === 0) return parsed.data;
    throw new AppError('invalid_fields', {
      problems: unknown.map((path) => `${path}: unknown field; remove it or check the spelling`),
    });
  }
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || facts.place}: ${isMissing(issue) ? 'is missing' : lowerFirst(issue.message)}`,
  );
  const constraintsOnly = parsed.error.issues.every((issue) => CONSTRAINT_ISSUES.has(issue.code));
  throw new AppError(facts.documents422 && constraintsOnly ? 'rejected_by_rules' : 'invalid_fields', { problems });
}

/** Returns the paths of members that the schema dropped. */
function unknownMembers(sent: unknown, read: unknown, path: readonly string[] = []): string[] {
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.flatMap((value, index) => unknownMembers(value, read[index], [...path, String(index)]));
  if (!isObject(sent) || !isObject(read)) return [];
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(read, name) ? unknownMembers(value, read[name], [...path, name]) : [[...path, name].join('.')],
  );
}

/** Returns whether a member is missing. Zod describes an absent member as undefined, a term that JSON does not have. */
const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
