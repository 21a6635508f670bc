// Which names clients may order.
import { FormSection } from '../../../ui/form-section.tsx';
import { NamePolicyFields } from './name-policy-fields.tsx';
import type { SectionProps } from './section.ts';

export function NamePolicySection({ form }: SectionProps) {
  return (
    <FormSection
      title="Names"
      description="Which names and addresses clients may order. An external account key can narrow this further; the RA profile has the last word."
    >
      <NamePolicyFields
        values={form.values.namePolicy}
        error={form.problemOf('namePolicy')}
        onChange={(values) => form.set('namePolicy', values)}
      />
    </FormSection>
  );
}
