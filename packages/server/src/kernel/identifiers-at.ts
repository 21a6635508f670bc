// The objects that a request body names, before the body is validated.
import { isObject } from './is-object.ts';

/**
 * Returns the identifiers found at a path in the body, which contains a single identifier or a list. Dots separate
 * levels; `$` is the body itself. Invalid identifiers are rejected later. An empty text removes an object and names
 * none.
 */
export function identifiersAt(body: unknown, path: string): readonly string[] {
  const members = path === '$' ? [] : path.split('.');
  // A list along the path is replaced by its entries.
  const found = members.reduce<unknown[]>((values, name) => values.flatMap((value) => memberOf(value, name)), [body]);
  return found.flat().filter((uuid): uuid is string => typeof uuid === 'string' && uuid !== '');
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name] // The check above ensures that the value is an object.
    : undefined;
