// Form for a new or existing EST profile.
import { api } from '../../api/client.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { est } from '../protocols/protocol.ts';
import { ProfileForm } from '../protocol-settings/profile-form.tsx';
import { SettingInputs } from '../protocol-settings/setting-fields.tsx';
import {
  commonValuesOf,
  emptyCommonValues,
  useProfileForm,
  type CommonValues,
  type SubmittedFields,
} from '../protocol-settings/use-profile-form.ts';
import { estSettings, requestedSettings, type EstValues } from './setting-table.tsx';

type FormValues = CommonValues & EstValues;

const valuesOf = (profile: EstProfile | undefined): FormValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommonValues),
  ...estSettings.valuesOf(profile),
  ...requestedSettings.valuesOf(profile?.requestedAttributes),
});

const bodyOf = (values: FormValues, { common, attributes }: SubmittedFields) => ({
  ...common,
  issueCertificateAttributes: attributes.issueCertificateAttributes,
  ...estSettings.bodyOf(values),
  requestedAttributes: requestedSettings.bodyOf(values),
});

/** If `profile` is absent, the form creates a profile. */
export function EstForm({ profile }: { readonly profile?: EstProfile }) {
  const form = useProfileForm<FormValues>({
    protocol: est,
    profile,
    start: valuesOf(profile),
    revokes: false,
    create: (values, given) =>
      api.estProfiles.createEstProfile({ body: { ...bodyOf(values, given), name: values.name.trim() } }),
    update: (estProfileUuid, values, given) =>
      api.estProfiles.editEstProfile({ params: { estProfileUuid }, body: bodyOf(values, given) }),
  });
  return (
    <ProfileForm protocol={est} form={form} isNew={profile === undefined}>
      <FormSection title="Clients" description="How clients authenticate. Any one method is sufficient.">
        <SettingInputs
          table={estSettings}
          form={form}
          names={[
            'users',
            'oneTimePasswords',
            'ownCertificates',
            'trustedCertificateUuids',
            'bindNames',
            'manualApproval',
            'serverKeys',
          ]}
        />
      </FormSection>
      <FormSection title="Renewal">
        <SettingInputs table={estSettings} form={form} names={['passwordsRenew', 'renewalsKeepNames']} />
      </FormSection>
      <FormSection title="Requests" description="CSR contents requested from clients, and the retry time.">
        <SettingInputs
          table={requestedSettings}
          form={form}
          names={[
            'keyType',
            'subject',
            'dnsNames',
            'ipAddress',
            'extensionValues',
            'extensions',
            'attributes',
            'template',
          ]}
        />
        <SettingInputs table={estSettings} form={form} names={['requireLinking', 'retryAfter', 'isDefault']} />
      </FormSection>
    </ProfileForm>
  );
}
