// Properties of a tags field in the EST profile form.
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import type { FurtherOfProfile } from '../protocols/settings/use-profile-form.ts';
import type { EstValues } from './est-values.ts';

type ListField = {
  [Field in keyof EstValues]: EstValues[Field] extends readonly string[] ? Field : never;
}[keyof EstValues];

/**
 * `splitChars` lists the characters that end an entry, in addition to Enter. It is empty if entries can contain them.
 */
export const tagsOf = (
  form: ObjectFormModel<EstValues, FurtherOfProfile>,
  field: ListField,
  splitChars: readonly string[] = [',', ' '],
) => ({
  splitChars: [...splitChars],
  acceptValueOnBlur: true,
  value: [...form.values[field]],
  error: form.problemOf(field),
  onChange: (entries: string[]) => form.set(field, entries),
});
