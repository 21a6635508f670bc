// Form for a new or existing SCEP profile.
import { Box, Group, PasswordInput, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { scepCaCertificatesQuery, type ScepProfile } from '../../queries/protocols.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { scep } from '../protocols/protocol.ts';
import { CertificateChoice } from '../protocols/settings/certificate-choice.tsx';
import { ProfileForm } from '../protocol-settings/profile-form.tsx';
import { SettingInputs } from '../protocol-settings/setting-fields.tsx';
import { assertLongSecret, SharedSecretField } from '../protocols/settings/shared-secret-field.tsx';
import {
  commonValuesOf,
  emptyCommonValues,
  useProfileForm,
  type CommonValues,
  type FurtherProfileFields,
  type SubmittedFields,
} from '../protocol-settings/use-profile-form.ts';
import { CreateRaCertificate } from './create-ra-certificate.tsx';
import { scepSettings, type ScepValues } from './setting-table.ts';

/** `withoutPassword` removes the stored challenge password. */
type FormValues = CommonValues & ScepValues & { readonly withoutPassword: boolean };

const valuesOf = (profile: ScepProfile | undefined): FormValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommonValues),
  ...scepSettings.valuesOf(profile),
  withoutPassword: false,
});

const bodyOf = (values: FormValues, { common, attributes, custom }: SubmittedFields) => ({
  ...common,
  ...custom,
  issueCertificateAttributes: attributes.issueCertificateAttributes,
  ...scepSettings.bodyOf(values),
  ...(values.withoutPassword && { challengePassword: '' }),
});

interface SectionProps {
  readonly form: ObjectFormModel<FormValues, FurtherProfileFields>;
}

/** Form for editing a SCEP profile, or for creating one if `profile` is absent. */
export function ScepForm({ profile }: { readonly profile?: ScepProfile }) {
  const form = useProfileForm<FormValues>({
    protocol: scep,
    profile,
    start: valuesOf(profile),
    revokes: false,
    check: ({ challengePassword }) => assertLongSecret('challengePassword', challengePassword),
    create: (values, given) =>
      api.scepProfiles.createScepProfile({ body: { ...bodyOf(values, given), name: values.name.trim() } }),
    update: (uuid, values, given) =>
      api.scepProfiles.editScepProfile({ params: { uuid }, body: bodyOf(values, given) }),
  });
  return (
    <ProfileForm protocol={scep} form={form} isNew={profile === undefined}>
      <MessagesSection form={form} />
      <ChallengesSection form={form} profile={profile} />
      <IntuneSection form={form} profile={profile} />
      <FormSection title="Renewal">
        <SettingInputs table={scepSettings} form={form} names={['renewalThreshold', 'bindNames']} />
      </FormSection>
    </ProfileForm>
  );
}

function MessagesSection({ form }: SectionProps) {
  const { values } = form;
  const choices = useQuery(scepCaCertificatesQuery);
  return (
    <FormSection
      title="Messages"
      description="Requests are encrypted for this certificate, and responses are signed with it."
    >
      <Group gap="xs" align="flex-end">
        <Box flex="1 1 16rem">
          <CertificateChoice
            label="SCEP RA certificate"
            description="Certificate whose RSA key is in a token and permits signing and decryption"
            choices={choices}
            value={values.caCertificateUuid}
            error={form.problemOf('caCertificateUuid')}
            onChange={(uuid) => form.set('caCertificateUuid', uuid)}
          />
        </Box>
        <CreateRaCertificate
          raProfileUuid={values.raProfileUuid}
          onCreated={(uuid) => form.set('caCertificateUuid', uuid)}
        />
      </Group>
      <SettingInputs
        table={scepSettings}
        form={form}
        names={['includeCaCertificate', 'includeCaCertificateChain', 'allowOldClients']}
      />
    </FormSection>
  );
}

function ChallengesSection({ form, profile }: SectionProps & { readonly profile: ScepProfile | undefined }) {
  const { values } = form;
  return (
    <FormSection
      title="Challenges"
      description="How initial requests are authorized. Without any of these, anyone who can reach the URL can obtain a certificate."
    >
      <SettingInputs table={scepSettings} form={form} names={['oneTimeChallenges']} />
      <SharedSecretField
        label="Challenge password"
        description={
          profile?.hasChallengePassword
            ? 'Shared by all clients. A password is set but never shown; leave empty to keep it.'
            : 'Shared by all clients; at least 16 random characters. Leave empty for none.'
        }
        disabled={values.withoutPassword}
        value={values.challengePassword}
        error={form.problemOf('challengePassword')}
        onChange={(secret) => form.set('challengePassword', secret)}
      />
      {profile?.hasChallengePassword && (
        <Switch label="Remove the challenge password" {...form.flag('withoutPassword')} />
      )}
      <SettingInputs table={scepSettings} form={form} names={['challengeWebhookUrl', 'requireManualApproval']} />
    </FormSection>
  );
}

function IntuneSection({ form, profile }: SectionProps & { readonly profile: ScepProfile | undefined }) {
  return (
    <FormSection
      title="Microsoft Intune"
      description="Devices managed by Intune use challenge passwords from Intune, which validates their requests."
    >
      <SettingInputs table={scepSettings} form={form} names={['enableIntune']} />
      {form.values.enableIntune && (
        <>
          <SettingInputs table={scepSettings} form={form} names={['intuneTenant', 'intuneApplicationId']} />
          <PasswordInput
            label="Application key"
            description={
              profile?.hasIntuneApplicationKey
                ? 'Client secret of the application. A secret is set but never shown; leave empty to keep it.'
                : 'Client secret of the application'
            }
            autoComplete="new-password"
            {...form.text('intuneApplicationKey')}
          />
        </>
      )}
    </FormSection>
  );
}
