// Assigns the problems reported by the platform to form fields. A problem starts with its field's name
// (`dnsResolverPort: must be …`). If it does not name a field in the form, it applies to the whole form.
import { ApiError } from '@signetry/client';

export interface FieldProblems<Field extends string> {
  readonly of: (field: Field) => string | undefined;
  /** The error with the problems that do not belong to a field; undefined if there are none. */
  readonly rest: unknown;
}

export function fieldProblems<Field extends string>(error: unknown, fields: readonly Field[]): FieldProblems<Field> {
  if (!(error instanceof ApiError)) return { of: () => undefined, rest: error };
  const found = new Map<Field, string>();
  const others: string[] = [];
  for (const finding of findingsOf(error)) {
    const field = fields.find((name) => namesField(finding, name, error));
    if (field === undefined) others.push(finding);
    else found.set(field, toSentence(finding.replace(new RegExp(`^${field}[^:]*: `), '')));
  }
  return {
    of: (field) => found.get(field),
    rest:
      others.length === 0 ? undefined : new ApiError(error.status, { message: others.join('; '), problems: others }),
  };
}

/**
 * Splits an error message into its problems, which are separated by semicolons. A name conflict is always a single
 * problem.
 */
export function findingsOf({ code, problems, message }: ApiError): readonly string[] {
  if (problems.length > 0) return problems;
  return code === 'ENTITY_NOT_UNIQUE' ? [message] : message.split('; ');
}

const namesField = (finding: string, field: string, { code }: ApiError): boolean =>
  new RegExp(`^${field}\\b[^:]*: `).test(finding) ||
  (field === 'name' && (code === 'ENTITY_NOT_UNIQUE' || finding.startsWith('The name ')));

const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
