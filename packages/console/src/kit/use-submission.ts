// Submits a form. Errors are shown at the fields they name, including attributes. All other errors are shown above the
// buttons.
import { ApiError } from '@signetry/client';
import { useState } from 'react';
import { fieldProblems, type FieldProblems } from '../ui/field-problems.ts';
import { describeError } from '../ui/outcomes.tsx';
import type { FormRejection } from '../ui/rejection.tsx';

/** Fields that show the errors naming them and return all other errors. */
export interface RejectableFields {
  readonly refuse: (problems: readonly string[]) => readonly string[];
}

export interface Submission<Field extends string> {
  readonly isPending: boolean;
  readonly refusal: FormRejection | undefined;
  readonly problemOf: (field: Field) => string | undefined;
  /** Returns the result of the work, or undefined if it was rejected. */
  readonly send: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>;
}

interface Outcome<Field extends string> {
  readonly isPending: boolean;
  readonly refusal?: FormRejection;
  readonly fields?: FieldProblems<Field>;
}

export function useSubmission<Field extends string>(
  fields: readonly Field[],
  attributes?: RejectableFields,
): Submission<Field> {
  const [outcome, setOutcome] = useState<Outcome<Field>>({ isPending: false });
  const reject = (error: unknown): void => {
    const left = fieldProblems(withoutAttributes(error, attributes), fields);
    const rest = left.rest instanceof ApiError ? left.rest.problems : [];
    setOutcome({ isPending: false, fields: left, refusal: rejectionOf(error, rest) });
  };
  return {
    isPending: outcome.isPending,
    refusal: outcome.refusal,
    problemOf: (field) => outcome.fields?.of(field),
    send: async (work) => {
      setOutcome({ isPending: true });
      try {
        const answer = await work();
        setOutcome({ isPending: false });
        return answer;
      } catch (error) {
        reject(error);
        return undefined;
      }
    },
  };
}

/** Shows attribute errors at their fields and returns the remaining error. */
function withoutAttributes(error: unknown, attributes: RejectableFields | undefined): unknown {
  if (!attributes || !(error instanceof ApiError) || error.problems.length === 0) return error;
  const rest = attributes.refuse(error.problems);
  return rest.length === 0
    ? undefined
    : new ApiError(error.status, { ...error, message: error.message, problems: rest });
}

/** Returns the rejection to display; `rest` contains the problems that do not name a field. */
function rejectionOf(error: unknown, rest: readonly string[]): FormRejection {
  const { title, text } = describeError(error);
  if (!(error instanceof ApiError)) return { title, problems: [text] };
  return { title, problems: rest.length > 0 ? rest : ['See the fields above.'] };
}
