// The outer part of a profile form: the fields that all protocols share, surrounding the protocol-specific sections.
import type { ReactNode } from 'react';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { AttributesSection } from './attributes-section.tsx';
import { CertificatesSection } from './certificates-section.tsx';
import { IssuingSection } from './issuing-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import type { CommonValues, FormProtocol, FurtherProfileFields } from './use-profile-form.ts';

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
