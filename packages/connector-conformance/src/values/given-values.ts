// Values that users specify because they cannot be generated, such as the address of a real machine. Keyed by kind,
// then by attribute name.
import { z } from 'zod';

/** Value of an attribute, an array of values, or null to omit the attribute. */
export const GivenValues = z.record(z.string(), z.record(z.string(), z.json()));
export type GivenValues = z.output<typeof GivenValues>;

/** Values of one kind. */
export type ValuesOfKind = GivenValues[string];

/** Returns every secret in the values, at any depth. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'secret' && typeof inner === 'string' ? [inner] : secretsIn(inner),
  );
}
