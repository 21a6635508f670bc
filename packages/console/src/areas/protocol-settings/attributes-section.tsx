// Attributes that the authority defines for issuing and revoking. Most authorities define none.
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { Callout } from '../../ui/callout.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { describeError } from '../../ui/outcomes.tsx';
import type { CertificateAttributeForms } from './certificate-attributes.ts';

export function AttributesSection({ attributes }: { readonly attributes: CertificateAttributeForms }) {
  if (attributes.error)
    return (
      <FormSection title="Authority settings">
        <Callout tone="warn" title="Cannot load the authority settings">
          Existing values are kept. {describeError(attributes.error).text}
        </Callout>
      </FormSection>
    );
  return (
    <>
      <AttributeForm form={attributes.issue} title="For issuing" />
      <AttributeForm form={attributes.revoke} title="For revoking" />
    </>
  );
}
