// Form for a new or existing ACME profile.
import { Group } from '@mantine/core';
import { api } from '../../../api/client.ts';
import { FormSection } from '../../../ui/form-section.tsx';
import { ProfileForm } from '../../protocol-settings/profile-form.tsx';
import { SettingInputs } from '../../protocol-settings/setting-fields.tsx';
import {
  commonValuesOf,
  emptyCommonValues,
  useProfileForm,
  type SubmittedFields,
} from '../../protocol-settings/use-profile-form.ts';
import { acme } from '../protocol.ts';
import type { Profile } from '../shapes.ts';
import { CaaFields, ChallengeFields } from './validation-fields.tsx';
import { OfferedProfilesSection } from './offered-profiles-section.tsx';
import type { FormValues, SectionProps } from './section.ts';
import { acmeSettings, acmeTermsChange, caaBodyOf, caaValuesOf } from './setting-table.tsx';

const valuesOf = (profile: Profile | undefined): FormValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommonValues),
  ...acmeSettings.valuesOf(profile),
  ...acmeTermsChange.valuesOf(profile),
  ...caaValuesOf(profile?.caaIdentities),
});

const bodyOf = (values: FormValues, { common, attributes, custom }: SubmittedFields) => ({
  ...common,
  ...custom,
  ...attributes,
  ...acmeSettings.bodyOf(values),
  ...caaBodyOf(values),
});

/** If `profile` is absent, the form creates a profile. */
export function AcmeForm({ profile }: { readonly profile?: Profile }) {
  const form = useProfileForm<FormValues>({
    protocol: acme,
    profile,
    start: valuesOf(profile),
    revokes: true,
    create: (values, given) =>
      api.acmeProfiles.createAcmeProfile({ body: { ...bodyOf(values, given), name: values.name.trim() } }),
    update: (uuid, values, given) =>
      api.acmeProfiles.editAcmeProfile({
        params: { uuid },
        body: { ...bodyOf(values, given), ...acmeTermsChange.bodyOf(values) },
      }),
  });
  const section = { form, isNew: profile === undefined };
  return (
    <ProfileForm protocol={acme} {...section}>
      <OfferedProfilesSection {...section} />
      <AccountSection {...section} />
      <FormSection
        title="Names"
        description="Names and IP addresses that clients can order. An external account key or the RA profile can restrict these further."
      >
        <SettingInputs table={acmeSettings} form={form} names={['namePolicy']} />
      </FormSection>
      <ValidationSection {...section} />
      <FormSection title="Time limits" description="The defaults suit most setups.">
        <SettingInputs table={acmeSettings} form={form} names={['validity', 'retryInterval']} />
      </FormSection>
    </ProfileForm>
  );
}

/** Requirements for registering an account, and the terms of service. */
function AccountSection({ form, isNew }: SectionProps) {
  const { termsOfServiceChangeDisable: changes, termsOfServiceChangeUrl: newTerms } = form.values;
  return (
    <FormSection
      title="Account registration"
      description="Each client registers an account once, automatically. Changes here do not affect existing accounts."
    >
      <SettingInputs
        table={acmeSettings}
        form={form}
        names={[
          'externalAccountRequired',
          'requireContact',
          'requireTermsOfService',
          'termsOfServiceUrl',
          'websiteUrl',
        ]}
      />
      {!isNew && (
        <SettingInputs
          table={acmeTermsChange}
          form={form}
          names={[
            'termsOfServiceChangeDisable',
            ...(changes || newTerms !== '' ? (['termsOfServiceChangeUrl'] as const) : []),
          ]}
        />
      )}
    </FormSection>
  );
}

/** How the platform validates that a client controls the names in its order. */
function ValidationSection({ form }: SectionProps) {
  return (
    <FormSection
      title="Domain validation"
      description="Before issuance, the platform connects to each name or looks up its DNS records, by default with the system resolver."
    >
      <Group align="flex-start" gap="sm" grow>
        <SettingInputs table={acmeSettings} form={form} names={['dnsResolverIp', 'dnsResolverPort']} />
      </Group>
      <SettingInputs table={acmeSettings} form={form} names={['authorizationReuse', 'externalAccountValidates']} />
      <CaaFields form={form} />
      <ChallengeFields form={form} />
      <SettingInputs table={acmeSettings} form={form} names={['allowLoopbackValidation']} />
    </FormSection>
  );
}
