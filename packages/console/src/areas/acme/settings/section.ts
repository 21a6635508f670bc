// Properties of form sections.
import type { ObjectFormModel } from '../../../kit/use-object-form.ts';
import type { CommonValues } from '../../protocol-settings/use-profile-form.ts';
import type { AcmeValues } from './setting-table.tsx';

export type FormValues = CommonValues & AcmeValues;

export interface SectionProps {
  readonly form: ObjectFormModel<FormValues>;
  readonly isNew: boolean;
}
