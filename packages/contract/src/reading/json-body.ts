// The JSON bodies that partners send: an empty body, a null body, and null members.

/**
 * Reviver for `JSON.parse` that removes null members, because partners in some languages send null for an absent
 * member. List items keep their positions. Also removes `__proto__`, which would become the prototype wherever the
 * object is copied by assignment.
 */
function reviveWithoutNulls(this: unknown, name: string, value: unknown): unknown {
  if (name === '__proto__') return undefined;
  return value === null && !Array.isArray(this) ? undefined : value;
}

export const dropNulls = reviveWithoutNulls;

/** Removes null members at any depth from a value that is not shared. */
export function removeNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>; // Array items are accessed by index.
  for (const name of Object.keys(members)) {
    if (members[name] === null && !Array.isArray(value)) delete members[name];
    else removeNulls(members[name]);
  }
}

/** Parses a JSON body. An empty body, and the body `null`, are undefined. Throws `SyntaxError`. */
export const parseJsonText = (text: string): unknown =>
  text.trim() === '' ? undefined : ((JSON.parse(text, dropNulls) as unknown) ?? undefined);
