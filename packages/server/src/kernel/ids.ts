// Identifiers. The platform generates UUIDv7, so that index pages fill at one end; any UUID is accepted from callers.
import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** Length of the UUIDv7 prefix that contains the time in milliseconds. */
const TIME_LENGTH = 'xxxxxxxx-xxxx'.length;
let latest = '';

/**
 * Returns a UUIDv7 that sorts after all others that this process has generated in the same millisecond (RFC 9562 §6.2),
 * since it determines the list order of rows that are written together.
 */
export function newUuid(): string {
  const uuid = randomUUIDv7();
  const isBehind = uuid > latest || !latest.startsWith(uuid.slice(0, TIME_LENGTH));
  latest = isBehind ? uuid : successorOf(latest);
  return latest;
}

function successorOf(uuid: string): string {
  const [time = '', middle, version, variant, node = ''] = uuid.split('-');
  const next = ((Number.parseInt(node, 16) + 1) % 2 ** 48).toString(16).padStart(node.length, '0');
  return [time, middle, version, variant, next].join('-');
}

/** Returns `bytes` random bytes as URL-safe text, for tokens and one-time secrets. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
