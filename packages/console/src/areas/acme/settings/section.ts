// Properties of every form section.
import type { ObjectFormModel } from '../../../kit/use-object-form.ts';
import type { ProfileValues } from './profile-values.ts';

export interface SectionProps {
  readonly form: ObjectFormModel<ProfileValues>;
  readonly isNew: boolean;
}
