// Custom attributes that are set on certificates issued with this profile.
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isShown } from '../../ui/attributes/attribute-values.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomFieldsFailure } from '../custom-attributes/custom-section.tsx';
import type { CustomFields } from '../custom-attributes/use-custom-fields.ts';

export function CertificatesSection({ custom }: { readonly custom: CustomFields }) {
  if (!custom.error && !custom.form.definitions.some(isShown)) return null;
  return (
    <FormSection
      title="Certificate custom attributes"
      description="Set on certificates issued with this profile. They can be changed on each certificate."
    >
      {custom.error ? <CustomFieldsFailure error={custom.error} /> : <AttributeFields form={custom.form} />}
    </FormSection>
  );
}
