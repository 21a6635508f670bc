// Submits a form. Errors are shown at the fields they name, including attributes. All other errors are shown above the
// buttons.
import { ApiError } from '@signetry/client';
import { useState } from 'react';
import { fieldProblems, type FieldProblems } from '../ui/field-problems.ts';
import { wordsOf } from '../ui/outcomes.tsx';
import type { FormRefusal } from '../ui/refusal.tsx';

/** Fields that show the errors naming them and return all other errors. */
export interface RefusableFields {
  readonly refuse: (problems: readonly string[]) => readonly string[];
}

export interface Submission<Field extends string> {
  readonly isPending: boolean;
  readonly refusal: FormRefusal | undefined;
  readonly problemOf: (field: Field) => string | undefined;
  /** Returns the result of the work, or undefined if it was rejected. */
  readonly send: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>;
}

interface Outcome<Field extends string> {
  readonly isPending: boolean;
  readonly refusal?: FormRefusal;
  readonly fields?: FieldProblems<Field>;
}

export function useSubmission<Field extends string>(
  fields: readonly Field[],
  attributes?: RefusableFields,
): Submission<Field> {
  const [outcome, setOutcome] = useState<Outcome<Field>>({ isPending: false });
  const refuse = (error: unknown): void => {
    const left = fieldProblems(withoutAttributes(error, attributes), fields);
    const rest = left.rest instanceof ApiError ? left.rest.problems : [];
    setOutcome({ isPending: false, fields: left, refusal: refusalOf(error, rest) });
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
        refuse(error);
        return undefined;
      }
    },
  };
}

/** Shows attribute errors at their fields and returns the remaining error. */
function withoutAttributes(error: unknown, attributes: RefusableFields | undefined): unknown {
  if (!attributes || !(error instanceof ApiError) || error.problems.length === 0) return error;
  const rest = attributes.refuse(error.problems);
  return rest.length === 0
    ? undefined
    : new ApiError(error.status, { ...error, message: error.message, problems: rest });
}

/** Returns the rejection to display; `rest` contains the problems that do not name a field. */
function refusalOf(error: unknown, rest: readonly string[]): FormRefusal {
  const { title, text } = wordsOf(error);
  if (!(error instanceof ApiError)) return { title, problems: [text] };
  return { title, problems: rest.length > 0 ? rest : ['See the fields above.'] };
}
