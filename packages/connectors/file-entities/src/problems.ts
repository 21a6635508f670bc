// Reads caller input and rejects invalid values with an explanation of the problem.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Reads a value from a caller or a file, or rejects it with a message that begins with `what`. */
export async function readOrReject<T>(what: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

/** Identifiers in calls can be any text; the database accepts only UUIDs. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
