// PostgreSQL errors that use cases expect, recognised at one door.

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const facts = (error: unknown): { code?: string; constraint?: string } =>
  typeof error === 'object' && error !== null ? error : {};

/** Was it this unique constraint (or any, when none is named)? */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || violated === constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === FOREIGN_KEY_VIOLATION && (constraint === undefined || violated === constraint);
}

/** The SQLSTATE of an error of the database. */
export const sqlState = (error: unknown): string | undefined => facts(error).code;
