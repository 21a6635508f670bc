// Errors of the PKI package about the caller's input, as refusals.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Reads what a caller sent, or refuses it with words that begin with `what`. */
export async function readOrReject<T>(what: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Identifiers here are UUIDs; anything else names nothing. */
export const isUuid = (text: string): boolean => UUID.test(text);
