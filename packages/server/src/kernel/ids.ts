// Identifiers. UUIDv7 are made by us, so that index pages fill at one end; any UUID is accepted from outside.
import { randomBytes, randomUUIDv7 } from 'node:crypto';

export const newUuid = (): string => randomUUIDv7();

/** URL-safe random text of `bytes` random bytes, for tokens and one-time secrets. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
