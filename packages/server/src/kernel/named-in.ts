// The objects that a request body names, before the body is validated.
import { isObject } from './is-object.ts';

/**
 * Returns the identifiers at a member of the body: one or a list; dots separate levels, `$` is the body itself. Invalid
 * identifiers are rejected later. An empty text removes an object and names none.
 */
export function namedIn(body: unknown, path: string): readonly string[] {
  const members = path === '$' ? [] : path.split('.');
  // A list along the path stands for each of its entries.
  const found = members.reduce<unknown[]>((values, name) => values.flatMap((value) => memberOf(value, name)), [body]);
  return found.flat().filter((uuid): uuid is string => typeof uuid === 'string' && uuid !== '');
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name] // Known to be an object from the check above.
    : undefined;
