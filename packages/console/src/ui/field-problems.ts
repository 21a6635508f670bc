// Sorts what the platform finds wrong with a request to the fields it speaks of. Findings begin with the name of the field
// (`dnsResolverPort: must be …`); whatever names no field of the form is for the form as a whole.
import { ApiError } from '@signetry/client';

export interface FieldProblems<Field extends string> {
  readonly of: (field: Field) => string | undefined;
  /** What remains to be said beside the fields. */
  readonly rest: unknown;
}

export function fieldProblems<Field extends string>(error: unknown, fields: readonly Field[]): FieldProblems<Field> {
  if (!(error instanceof ApiError)) return { of: () => undefined, rest: error };
  const findings = error.problems.length > 0 ? error.problems : [error.message];
  const found = new Map<Field, string>();
  const others: string[] = [];
  for (const finding of findings) {
    const field = fields.find((name) => new RegExp(`^(?:body\\.)?${name}\\b[^:]*: `).test(finding));
    if (field === undefined) others.push(finding);
    else found.set(field, sentence(finding.slice(finding.indexOf(': ') + 2)));
  }
  const rest =
    others.length === 0 ? undefined : new ApiError(error.status, { message: others.join(' '), problems: others });
  return { of: (field) => found.get(field), rest };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
