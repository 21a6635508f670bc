// State of an object form: values, changes, errors from the platform, and submission.
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ChangeEvent } from 'react';
import { notify } from '../ui/notices.tsx';
import type { FormRejection } from '../ui/rejection.tsx';
import type { ObjectPaths } from './paths.ts';
import { useSubmission, type RejectableFields } from './use-submission.ts';

/** Additional fields that the form does not define, such as attributes. */
export interface FurtherFields extends RejectableFields {
  readonly isDirty: boolean;
  /** Returns whether the fields are valid; if not, shows the errors. */
  readonly check: () => boolean;
}

export interface SaveResult {
  /** The page to open next; defaults to the object's page. */
  readonly to?: string;
  /** Suppresses the notice, because a different one was already shown. */
  readonly isQuiet?: boolean;
}

export interface ObjectFormInput<Values extends object, Further extends FurtherFields> {
  /** Kind of object, for use within a sentence, e.g. `RA profile`. */
  readonly what: string;
  readonly paths: ObjectPaths;
  /** Absent for a new object. */
  readonly object: { readonly uuid: string; readonly name: string } | undefined;
  /** Initial values. Later changes are ignored, so that user input is preserved. */
  readonly start: Values;
  /** Hook for additional fields, which can depend on the form's values. */
  readonly useFurther?: (values: Values) => Further;
  /** Create and update the object. Errors are shown at the fields that they name. */
  readonly create: (values: Values, further: Further) => Promise<{ readonly uuid: string } & SaveResult>;
  readonly update: (uuid: string, values: Values, further: Further) => Promise<unknown>;
  /** Queries to refetch afterwards. */
  readonly refresh: readonly QueryKey[];
}

type KeysOf<Values, Type> = { [Key in keyof Values]: Values[Key] extends Type ? Key : never }[keyof Values] & string;

export interface ObjectFormModel<Values extends object, Further extends FurtherFields = FurtherFields> {
  readonly values: Values;
  readonly further: Further;
  readonly set: <Field extends keyof Values>(field: Field, value: Values[Field]) => void;
  readonly problemOf: (field: keyof Values & string) => string | undefined;
  /** Returns the props of a text input. */
  readonly text: (field: KeysOf<Values, string>) => {
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
  /** Returns the props of a checkbox or switch. */
  readonly flag: (field: KeysOf<Values, boolean>) => {
    readonly checked: boolean;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Accessible name. */
  readonly label: string;
  readonly submitLabel: string;
  readonly cancelTo: string;
  readonly isDirty: boolean;
  readonly isPending: boolean;
  readonly refusal: FormRejection | undefined;
  /** Message if a required name is missing. */
  readonly missing: string | undefined;
  /** Resolves to a function that leaves the form, or to undefined if the request was rejected. */
  readonly submit: () => Promise<(() => void) | undefined>;
}

const useNoFurtherFields = (): FurtherFields => ({ isDirty: false, check: () => true, refuse: (problems) => problems });

export function useObjectForm<Values extends object, Further extends FurtherFields = FurtherFields>(
  input: ObjectFormInput<Values, Further>,
): ObjectFormModel<Values, Further> {
  const { what, paths, object, create, update, refresh } = input;
  const { useFurther = useNoFurtherFields as () => Further } = input; // Without a hook, `Further` is `FurtherFields`.
  const [start] = useState(input.start);
  const [values, setValues] = useState(start);
  const further = useFurther(values);
  const { isPending, refusal, problemOf, send } = useSubmission(Object.keys(start), further);
  const leave = useLeave(refresh);
  const set: ObjectFormModel<Values>['set'] = (field, value) => setValues((now) => ({ ...now, [field]: value }));
  const save = async (): Promise<Required<Pick<SaveResult, 'to'>> & { readonly notice: string | undefined }> => {
    const name = object?.name ?? nameOf(values);
    if (object) {
      await update(object.uuid, values, further);
      return { to: paths.one(object.uuid), notice: `${name} was saved.` };
    }
    const { uuid, to = paths.one(uuid), isQuiet = false } = await create(values, further);
    return { to, notice: isQuiet ? undefined : `${name} was added.` };
  };
  return {
    values,
    further,
    set,
    problemOf,
    text: (field) => ({
      value: values[field] as string, // `KeysOf` selects string fields.
      error: problemOf(field),
      // `KeysOf` selects string fields.
      onChange: (event) => set(field, event.currentTarget.value as Values[typeof field]),
    }),
    flag: (field) => ({
      checked: values[field] as boolean, // `KeysOf` selects boolean fields.
      // `KeysOf` selects boolean fields.
      onChange: (event) => set(field, event.currentTarget.checked as Values[typeof field]),
    }),
    label: object ? `Edit ${object.name}` : `New ${what}`,
    submitLabel: object ? 'Save' : 'Create',
    cancelTo: object ? paths.one(object.uuid) : paths.list,
    isDirty: further.isDirty || JSON.stringify(values) !== JSON.stringify(start),
    isPending,
    refusal,
    missing: 'name' in values && nameOf(values) === '' ? 'Enter a name.' : undefined,
    submit: async () => {
      if (!further.check()) return undefined;
      const saved = await send(save);
      return saved && leave(saved);
    },
  };
}

const nameOf = (values: object): string =>
  'name' in values && typeof values.name === 'string' ? values.name.trim() : '';

/** Refetches the changed data and returns a function that navigates to the next page. */
function useLeave(refresh: readonly QueryKey[]) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async ({ to, notice }: { readonly to: string; readonly notice: string | undefined }): Promise<() => void> => {
    await Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey })));
    return () => {
      if (notice !== undefined) notify.done(notice);
      void navigate({ to });
    };
  };
}
