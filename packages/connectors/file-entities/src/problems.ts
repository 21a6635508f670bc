// What was sent, read or refused with words.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Reads what a caller sent or a file has, or refuses it with words that begin with `what`. */
export async function readOrReject<T>(what: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

/** Identifiers in calls are any text; the database takes only these. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
