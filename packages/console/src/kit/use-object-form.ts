// The state of an object's form: what it started with, what was changed, what the platform finds wrong with it, and the way
// to save it.
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ChangeEvent } from 'react';
import { notify } from '../ui/notices.tsx';
import type { FormRefusal } from '../ui/refusal.tsx';
import { useSubmission, type RefusableFields } from './use-submission.ts';

/** Fields that others define: those of attributes. */
export interface FurtherFields extends RefusableFields {
  readonly isDirty: boolean;
  /** Whether they can be sent; otherwise shows what is wrong. */
  readonly check: () => boolean;
}

export interface Saved {
  /** What is said; absent where something else was said already. */
  readonly notice?: string;
  /** The page that follows. */
  readonly to: string;
}

export interface ObjectFormInput<Values extends object, Further extends FurtherFields> {
  /** What the form begins with; later values change nothing, so that what is typed stays. */
  readonly start: Values;
  /** A hook: the fields that others define, which may depend on what is chosen in the form. */
  readonly useFurther?: (values: Values) => Further;
  /** Refusals are shown at the fields that they name. */
  readonly save: (values: Values, further: Further) => Promise<Saved>;
  /** What is read again then. */
  readonly refresh: readonly QueryKey[];
}

type KeysOf<Values, Type> = { [Key in keyof Values]: Values[Key] extends Type ? Key : never }[keyof Values] & string;

export interface ObjectFormModel<Values extends object, Further extends FurtherFields = FurtherFields> {
  readonly values: Values;
  readonly further: Further;
  readonly set: <Field extends keyof Values>(field: Field, value: Values[Field]) => void;
  readonly problemOf: (field: keyof Values & string) => string | undefined;
  /** Props of an input for a text. */
  readonly text: (field: KeysOf<Values, string>) => {
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
  /** Props of a checkbox or a switch. */
  readonly flag: (field: KeysOf<Values, boolean>) => {
    readonly checked: boolean;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  readonly isDirty: boolean;
  readonly isPending: boolean;
  readonly refusal: FormRefusal | undefined;
  /** The name, when there has to be one. */
  readonly missing: string | undefined;
  /** Resolves to the way out; undefined when it was refused. */
  readonly submit: () => Promise<(() => void) | undefined>;
}

const useNothingFurther = (): FurtherFields => ({ isDirty: false, check: () => true, refuse: (problems) => problems });

export function useObjectForm<Values extends object, Further extends FurtherFields = FurtherFields>(
  input: ObjectFormInput<Values, Further>,
): ObjectFormModel<Values, Further> {
  const { save, refresh, useFurther = useNothingFurther as () => Further } = input; // without a hook, nothing more is known of them
  const [start] = useState(input.start);
  const [values, setValues] = useState(start);
  const further = useFurther(values);
  const { isPending, refusal, problemOf, send } = useSubmission(Object.keys(start), further);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const set: ObjectFormModel<Values>['set'] = (field, value) => setValues((now) => ({ ...now, [field]: value }));
  return {
    values,
    further,
    set,
    problemOf,
    text: (field) => ({
      value: values[field] as string, // a field of texts
      error: problemOf(field),
      onChange: (event) => set(field, event.currentTarget.value as Values[typeof field]), // a field of texts
    }),
    flag: (field) => ({
      checked: values[field] as boolean, // a field of flags
      onChange: (event) => set(field, event.currentTarget.checked as Values[typeof field]), // a field of flags
    }),
    isDirty: further.isDirty || JSON.stringify(values) !== JSON.stringify(start),
    isPending,
    refusal,
    missing: isNameless(values) ? 'Enter a name.' : undefined,
    submit: async () => {
      if (!further.check()) return undefined;
      const saved = await send(() => save(values, further));
      if (!saved) return undefined;
      await Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey })));
      return () => {
        if (saved.notice !== undefined) notify.done(saved.notice);
        void navigate({ to: saved.to });
      };
    },
  };
}

const isNameless = (values: object): boolean =>
  'name' in values && typeof values.name === 'string' && values.name.trim() === '';
