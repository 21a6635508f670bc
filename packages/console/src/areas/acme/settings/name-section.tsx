// Name and description of the profile.
import { DescriptionField, NameField } from '../../../kit/name-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function NameSection({ form, isNew }: SectionProps) {
  return (
    <FormSection title="Profile" description="The name is part of the directory URL and cannot be changed later.">
      <NameField form={form} isNew={isNew} hint="Letters, digits and - . _ ~, for example: web" />
      <DescriptionField form={form} />
    </FormSection>
  );
}
