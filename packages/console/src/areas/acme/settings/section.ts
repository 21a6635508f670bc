// What every part of the form is given.
import type { ProfileField, ProfileValues } from './profile-values.ts';

export interface SectionProps {
  readonly values: ProfileValues;
  readonly isNew: boolean;
  readonly set: <Field extends ProfileField>(field: Field, value: ProfileValues[Field]) => void;
  readonly errorOf: (field: ProfileField) => string | undefined;
}
