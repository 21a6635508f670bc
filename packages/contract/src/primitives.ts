// The scalar forms of the wire, each written once. JSON Schema facts (format, bounds) follow from here.
import { z } from 'zod';

/** An identifier. We make UUIDv7; any UUID is accepted, Java's random ones included (laxer than RFC 9562, hence `guid`). */
export const uuid = () => z.guid().meta({ format: 'uuid' });

/** RFC 3339 instant with offset, as the platform writes it. */
export const dateTime = () =>
  z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an ISO 8601 date and time')
    .meta({ format: 'date-time' });

/** Calendar day, `yyyy-MM-dd`. */
export const date = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'must be a date of the form yyyy-MM-dd')
    .meta({ format: 'date' });

/** Java `int`. */
export const int32 = () => z.int32().meta({ format: 'int32' });

/** Java `long`; JSON numbers carry it exactly up to 2^53. */
export const int64 = () => z.int().meta({ format: 'int64' });

/** Base64 text. Readers are lenient about line breaks and the URL alphabet, so only the format is stated. */
export const base64 = () => z.string().meta({ format: 'byte' });

/**
 * Base64 text on the wire; between parts of one process also the octets themselves, so that megabytes are neither written as
 * text nor copied. Whoever is given them must not change them.
 */
export const base64Octets = () =>
  z
    .custom<string | Uint8Array>((value) => typeof value === 'string' || value instanceof Uint8Array)
    .meta({ type: 'string', format: 'byte' });

/** A string with at least one character that is not white space. */
export const notBlank = (limits: { max?: number } = {}) => {
  const text = z.string().regex(/\S/, 'must not be blank');
  return limits.max === undefined ? text : text.max(limits.max);
};
