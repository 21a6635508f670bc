// Additional information of history entries. Published clients expect an object whose members are objects; the platform
// stores plain values. Pure.
import { isObject } from './is-object.ts';

export type AdditionalInformation = Record<string, Record<string, unknown>>;

/** Returns the stored information in the published form: a value that is not an object becomes `{ value }`. */
export const presentAdditional = (stored: Readonly<Record<string, unknown>>): AdditionalInformation =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      isObject(value) && !Array.isArray(value) ? { ...value } : { value },
    ]),
  );
