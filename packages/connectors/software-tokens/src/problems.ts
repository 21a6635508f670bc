// Converts PKI package errors in caller input to rejections.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Parses caller input, or rejects it with a message that starts with `what`. */
export async function readOrReject<T>(what: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Identifiers are UUIDs; no object has any other identifier. */
export const isUuid = (text: string): boolean => UUID.test(text);
