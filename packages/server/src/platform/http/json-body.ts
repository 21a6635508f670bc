// Reads JSON bodies within bounds: size by Fastify, nesting here, before JSON.parse builds anything.
import { AppError } from '../../kernel/errors.ts';

export const JSON_BODY_LIMIT_BYTES = 1024 * 1024;
export const FILE_BODY_LIMIT_BYTES = 16 * 1024 * 1024;
/** Attribute definitions nest about ten deep; 64 leaves room and keeps recursion harmless. */
export const JSON_DEPTH_LIMIT = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses a JSON body, or refuses it as malformed. An empty body is `undefined`. Null members are dropped. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  assertDepth(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new AppError('malformed_request', { problem: 'the body is not valid JSON' }, { cause });
  }
  return withoutNulls(value);
}

/** The wire writes absent members as absent; clients also send null for them, which means the same. PostgreSQL has no U+0000. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value === 'string' && value.includes('\0'))
    throw new AppError('malformed_request', { problem: 'a text holds the character U+0000' });
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // `__proto__` as an own key would be assigned as the prototype.
    if (inner !== null && key !== '__proto__') result[key] = withoutNulls(inner);
  }
  return result;
}

function assertDepth(bytes: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > JSON_DEPTH_LIMIT) {
        throw new AppError('malformed_request', { problem: `the body nests deeper than ${JSON_DEPTH_LIMIT} levels` });
      }
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
}
