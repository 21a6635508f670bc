// What the authority asks for beside the rules of the profile. Most ask for nothing, and nothing is shown then.
import { AttributeForm } from '../../../ui/attributes/attribute-form.tsx';
import { Callout } from '../../../ui/callout.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import { wordsOf } from '../../../ui/outcomes.tsx';
import type { CertificateAttributeForms } from './certificate-attributes.ts';

export function AttributesSection({ attributes }: { readonly attributes: CertificateAttributeForms }) {
  if (attributes.error)
    return (
      <FormSection title="Told to the authority">
        <Callout tone="warn" title="The authority does not say what it asks for">
          What is set already stays as it is. {wordsOf(attributes.error).text}
        </Callout>
      </FormSection>
    );
  return (
    <>
      <AttributeForm form={attributes.issue} title="Told to the authority when it issues" />
      <AttributeForm form={attributes.revoke} title="Told to the authority when it revokes" />
    </>
  );
}
