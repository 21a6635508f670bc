// The objects that the body of a request names, before the body was checked.
import { isObject } from './is-object.ts';

/**
 * Identifiers at a member of the body: one or a list, with dots between levels; `$` is the body itself. What is none is
 * refused later. Empty texts take an object away and name none.
 */
export function namedIn(body: unknown, path: string): readonly string[] {
  const members = path === '$' ? [] : path.split('.');
  // A list on the way stands for each of its entries.
  const found = members.reduce<unknown[]>((values, name) => values.flatMap((value) => memberOf(value, name)), [body]);
  return found.flat().filter((uuid): uuid is string => typeof uuid === 'string' && uuid !== '');
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name] // an object, as said before
    : undefined;
