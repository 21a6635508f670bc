// Parses JSON bodies within limits. Fastify limits their size; nesting and the number of values are limited here, in
// one pass over the bytes before JSON.parse creates anything.
import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';

export const JSON_BODY_LIMIT_BYTES = 1024 * 1024;
export const FILE_BODY_LIMIT_BYTES = 16 * 1024 * 1024;
/**
 * Maximum nesting depth. Attribute definitions nest about ten levels deep; 64 leaves a margin and keeps recursion safe.
 */
const JSON_DEPTH_LIMIT = 64;
/**
 * Maximum number of values. Every value costs time and about 100 bytes of memory, however short its text; the longest
 * identifier list that fits into a body has 27,000 values.
 */
export const JSON_VALUE_LIMIT = 50_000;
/**
 * Maximum number of values in bodies with files, which are large because of one long string and contain few other
 * values.
 */
export const FILE_BODY_VALUE_LIMIT = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Parses a JSON body, or rejects it as malformed. Returns undefined for an empty body. Null members are removed. */
export function parseJsonBody(bytes: Uint8Array, limits: { readonly values: number }): unknown {
  if (bytes.length === 0) return undefined;
  assertJsonWithin(limits.values, bytes);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (cause) {
    throw malformed('the body is not valid JSON', cause);
  }
  if (typeof value === 'string') assertText(value);
  else if (isObject(value)) prune(value);
  return value;
}

/**
 * Removes null members in place from a newly parsed value that is not shared. Responses omit absent members, but
 * clients may also send null for them, which has the same meaning. Array items are not removed.
 */
function prune(value: object): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (typeof item === 'string') assertText(item);
      else if (isObject(item)) prune(item);
    }
    return;
  }
  const members = value as Record<string, unknown>; // JSON.parse creates only arrays and plain objects.
  for (const name of Object.keys(members)) {
    assertText(name);
    const member = members[name];
    // An own member `__proto__` would become the prototype wherever the object is copied by assignment.
    if (member === null || name === '__proto__') delete members[name];
    else if (typeof member === 'string') assertText(member);
    else if (typeof member === 'object') prune(member);
  }
}

/**
 * Rejects text that cannot be stored: PostgreSQL does not support U+0000, and an unpaired surrogate is not a character
 * (RFC 8259 §8.2).
 */
function assertText(text: string): void {
  if (text.includes('\0')) throw malformed('a string contains the character U+0000');
  if (!text.isWellFormed()) throw malformed('a string contains an unpaired surrogate');
}

/**
 * Limits nesting and the number of values. Each value is at the start of the body or follows an opening bracket or a
 * comma, so counting brackets and commas bounds the number.
 */
export function assertJsonWithin(valueLimit: number, bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > JSON_DEPTH_LIMIT) throw malformed(`the body is nested more than ${JSON_DEPTH_LIMIT} levels deep`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (values > valueLimit) throw malformed(`the body contains more than ${valueLimit} values`);
  }
}

const malformed = (problem: string, cause?: unknown): AppError =>
  new AppError('malformed_request', { problem }, { cause });
