// Scalar types used on the wire, each defined once. Their JSON Schema properties (format, bounds) are derived from
// them.
import { z } from 'zod';

/** An identifier. We generate UUIDv7; any UUID is accepted, even with a different variant or version (hence `guid`). */
export const uuid = () => z.guid().meta({ format: 'uuid' });

/** Error messages for strings that are not dates. */
export const DATE_PROBLEMS = {
  dateTime: 'must be an ISO 8601 date and time',
  date: 'must be a date in the format yyyy-MM-dd',
} as const;

/** RFC 3339 timestamp with offset, in the platform's format. */
export const dateTime = () =>
  z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), DATE_PROBLEMS.dateTime)
    .meta({ format: 'date-time' });

/** Calendar day, `yyyy-MM-dd`. */
export const date = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, DATE_PROBLEMS.date)
    .meta({ format: 'date' });

/** A 32-bit integer, `int` in Java. */
export const int32 = () => z.int32().meta({ format: 'int32' });

/** A 64-bit integer, `long` in Java; JSON numbers represent it exactly only up to 2^53. */
export const int64 = () => z.int().meta({ format: 'int64' });

/** Base64 text. Readers accept line breaks and the URL-safe alphabet, so only the format is specified. */
export const base64 = () => z.string().meta({ format: 'byte' });

/**
 * Base64 text on the wire. Within one process, it can also be the bytes themselves, so that megabytes of data need not
 * be encoded or copied. Recipients must not modify them.
 */
export const base64Octets = () =>
  z
    .custom<string | Uint8Array>((value) => typeof value === 'string' || value instanceof Uint8Array)
    .meta({ type: 'string', format: 'byte' });

/** A string with at least one non-whitespace character. */
export const notBlank = () => z.string().regex(/\S/, 'must not be blank');

/** Names appear in indexes, logs, headers and tables, so their length is limited. */
export const MAX_NAME_LENGTH = 255;
export const MAX_DESCRIPTION_LENGTH = 1_000;
export const MAX_URL_LENGTH = 2_000;

// Control characters hide in tables and logs. Descriptions may have several lines.
// oxlint-disable no-control-regex -- they are what is looked for
const NOT_IN_LINES = /[\u0000-\u001f\u007f]/;
const NOT_IN_DESCRIPTIONS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
// oxlint-enable no-control-regex

/** Text of at most `length` characters. */
export const bounded = (length: number) => z.string().max(length, `must not be longer than ${length} characters`);

/** A single line of text, e.g. a person's name: at most 255 characters, without control characters. */
export const line = () =>
  bounded(MAX_NAME_LENGTH).refine((text) => !NOT_IN_LINES.test(text), 'must not contain control characters');

/** Name of an object: a single line that is not blank. */
export const objectName = () => line().regex(/\S/, 'must not be blank');

/** Free text about an object, at most 1,000 characters. */
export const description = () =>
  bounded(MAX_DESCRIPTION_LENGTH).refine(
    (text) => !NOT_IN_DESCRIPTIONS.test(text),
    'must not contain control characters',
  );

/** Error message for an empty URL. */
export const URL_PROBLEM = 'must not be empty';

/** A URL of at most 2,000 characters. Callers check whether the destination is allowed. */
export const url = () => bounded(MAX_URL_LENGTH).refine((text) => text !== '', URL_PROBLEM);
