// Timestamps as PostgreSQL text, for statements that take rows as JSON or compare with text.

/**
 * Returns ISO 8601, except for years before 1: PostgreSQL counts these backwards from 1 BC and rejects the year 0000,
 * which certificates can contain.
 */
export function timestampText(instant: Date): string {
  const text = instant.toISOString();
  const year = instant.getUTCFullYear();
  if (year >= 1) return text;
  // The month follows the first hyphen that is not the year's sign.
  const rest = text.slice(text.indexOf('-', 1));
  return `${String(1 - year).padStart(4, '0')}${rest} BC`;
}
