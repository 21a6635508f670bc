// Values that a person gives for what cannot be made up, such as the address of a real machine: by kind, then by the
// name of the attribute.
import { z } from 'zod';

/** The value of an attribute, several in a list, or null to leave the attribute out. */
export const GivenValues = z.record(z.string(), z.record(z.string(), z.json()));
export type GivenValues = z.output<typeof GivenValues>;

/** Those of one kind. */
export type ValuesOfKind = GivenValues[string];

/** Every secret in the values, wherever it stands. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'secret' && typeof inner === 'string' ? [inner] : secretsIn(inner),
  );
}
