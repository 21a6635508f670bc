// Section for custom attributes in an object's form. Renders nothing if the object's resource has none.
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { Callout } from '../../ui/callout.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { describeError } from '../../ui/outcomes.tsx';
import type { CustomFields } from './use-custom-fields.ts';

const TITLE = 'Custom attributes';

export function CustomSection({ custom }: { readonly custom: CustomFields }) {
  if (custom.error)
    return (
      <FormSection title={TITLE}>
        <CustomFieldsFailure error={custom.error} />
      </FormSection>
    );
  return <AttributeForm form={custom.form} title={TITLE} />;
}

export const CustomFieldsFailure = ({ error }: { readonly error: unknown }) => (
  <Callout tone="warn" title="Cannot load the custom attributes">
    Existing values are kept. {describeError(error).text}
  </Callout>
);
