// The outer part of a profile form: the fields that all protocols share, surrounding the protocol-specific sections.
import type { ReactNode } from 'react';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { IssuingSection } from './issuing-section.tsx';
import { CustomSection, CustomFieldsFailure } from '../custom-attributes/custom-section.tsx';
import type { CommonValues, FormProtocol, FurtherProfileFields } from './use-profile-form.ts';
import { AttributeFields, AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { isShown } from '../../ui/attributes/attribute-values.ts';
import type { CustomFields } from '../custom-attributes/use-custom-fields.ts';
import { Callout } from '../../ui/callout.tsx';
import { describeError } from '../../ui/outcomes.tsx';
import type { CertificateAttributeForms } from './certificate-attributes.ts';

export interface ProfileFormProps<Values extends CommonValues> {
  readonly protocol: FormProtocol;
  readonly form: ObjectFormModel<Values, FurtherProfileFields>;
  readonly isNew: boolean;
  readonly children: ReactNode;
}

export function ProfileForm<Values extends CommonValues>(props: ProfileFormProps<Values>) {
  const { protocol, isNew, children } = props;
  // Only values that all protocols have are used here, hence the cast.
  const form = props.form as unknown as ObjectFormModel<CommonValues, FurtherProfileFields>;
  return (
    <ObjectForm form={form} missing={form.further.isLoading ? 'Loading authority settings…' : undefined}>
      <FormSection title="Profile" description="The name is part of the URL and cannot be changed later.">
        <NameField form={form} isNew={isNew} hint={`Letters, digits and - . _ ~, for example: ${protocol.example}`} />
        <DescriptionField form={form} />
      </FormSection>
      <IssuingSection form={form} />
      <CertificatesSection custom={form.further.ofCertificates} />
      {children}
      <AttributesSection attributes={form.further} />
      {protocol.resource !== 'raProfiles' && <CustomSection custom={form.further.custom} />}
    </ObjectForm>
  );
}

/** Custom attributes that are set on certificates issued with this profile. */
function CertificatesSection({ custom }: { readonly custom: CustomFields }) {
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

/** Attributes that the authority defines for issuing and revoking. Most authorities define none. */
function AttributesSection({ attributes }: { readonly attributes: CertificateAttributeForms }) {
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
