// Form for a new or existing SCEP profile.
import { NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { scepCaCertificatesQuery, type ScepProfile } from '../../queries/protocols.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { scep } from '../protocols/protocol.ts';
import { CertificateChoice } from '../protocols/settings/certificate-choice.tsx';
import { NamesChoice } from '../protocols/settings/names-choice.tsx';
import { ProfileForm } from '../protocols/settings/profile-form.tsx';
import { assertLongSecret, SharedSecretField } from '../protocols/settings/shared-secret-field.tsx';
import {
  commonValuesOf,
  emptyCommon,
  useProfileForm,
  type CommonValues,
  type FurtherOfProfile,
  type Given,
} from '../protocols/settings/use-profile-form.ts';

interface ScepValues extends CommonValues {
  readonly caCertificateUuid: string;
  readonly includeCaCertificate: boolean;
  readonly includeCaCertificateChain: boolean;
  /** In days. 0 means the second half of the validity period. */
  readonly renewalThreshold: number;
  /** Left empty to keep the stored password. */
  readonly challengePassword: string;
  readonly withoutPassword: boolean;
  readonly oneTimeChallenges: boolean;
  readonly challengeWebhookUrl: string;
  readonly enableIntune: boolean;
  readonly intuneTenant: string;
  readonly intuneApplicationId: string;
  /** Left empty to keep the stored key. */
  readonly intuneApplicationKey: string;
  /** Undefined if the administrator has not decided yet. */
  readonly bindNames: boolean | undefined;
  readonly requireManualApproval: boolean;
  readonly allowOldClients: boolean;
}

const valuesOf = (profile: ScepProfile | undefined): ScepValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommon),
  caCertificateUuid: profile?.caCertificate?.uuid ?? '',
  includeCaCertificate: profile?.includeCaCertificate ?? true,
  includeCaCertificateChain: profile?.includeCaCertificateChain ?? true,
  renewalThreshold: profile?.renewThreshold ?? 0,
  challengePassword: '',
  withoutPassword: false,
  // New profiles require a challenge password by default.
  oneTimeChallenges: profile ? (profile.oneTimeChallenges ?? false) : true,
  challengeWebhookUrl: profile?.challengeWebhookUrl ?? '',
  enableIntune: profile?.enableIntune ?? false,
  intuneTenant: profile?.intuneTenant ?? '',
  intuneApplicationId: profile?.intuneApplicationId ?? '',
  intuneApplicationKey: '',
  bindNames: profile ? profile.bindNames : true,
  requireManualApproval: profile?.requireManualApproval ?? false,
  allowOldClients: profile?.allowOldClients ?? false,
});

const bodyOf = (values: ScepValues, { common, attributes, custom }: Given) => ({
  ...common,
  ...custom,
  issueCertificateAttributes: attributes.issueCertificateAttributes,
  caCertificateUuid: values.caCertificateUuid,
  includeCaCertificate: values.includeCaCertificate,
  includeCaCertificateChain: values.includeCaCertificateChain,
  renewalThreshold: values.renewalThreshold,
  ...(values.withoutPassword
    ? { challengePassword: '' }
    : values.challengePassword !== '' && { challengePassword: values.challengePassword }),
  oneTimeChallenges: values.oneTimeChallenges,
  challengeWebhookUrl: values.challengeWebhookUrl.trim(),
  enableIntune: values.enableIntune,
  intuneTenant: values.intuneTenant.trim(),
  intuneApplicationId: values.intuneApplicationId.trim(),
  ...(values.intuneApplicationKey !== '' && { intuneApplicationKey: values.intuneApplicationKey }),
  ...(values.bindNames !== undefined && { bindNames: values.bindNames }),
  requireManualApproval: values.requireManualApproval,
  allowOldClients: values.allowOldClients,
});

interface SectionProps {
  readonly form: ObjectFormModel<ScepValues, FurtherOfProfile>;
}

/** Form for editing a SCEP profile, or for creating one if `profile` is absent. */
export function ScepForm({ profile }: { readonly profile?: ScepProfile }) {
  const form = useProfileForm<ScepValues>({
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
      <RenewalSection form={form} />
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
      <CertificateChoice
        label="SCEP RA certificate"
        description="Certificate whose RSA key is in a token and permits signing and decryption"
        choices={choices}
        value={values.caCertificateUuid}
        error={form.problemOf('caCertificateUuid')}
        onChange={(uuid) => form.set('caCertificateUuid', uuid)}
      />
      <Switch label="Include the CA certificate" {...form.flag('includeCaCertificate')} />
      <Switch label="Include the CA chain" {...form.flag('includeCaCertificateChain')} />
      <Switch
        label="Allow weak algorithms"
        description="DES, 3DES and SHA-1. Enable only for devices that support nothing stronger"
        {...form.flag('allowOldClients')}
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
      <Switch
        label="Accept one-time challenge passwords"
        description="Created under the RA profile; each is valid for one request"
        {...form.flag('oneTimeChallenges')}
      />
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
      <TextInput
        label="Challenge validation URL"
        description="Your server that checks challenge passwords. Leave empty for none"
        placeholder="https://"
        type="url"
        {...form.text('challengeWebhookUrl')}
      />
      <Switch
        label="Require manual approval"
        description="An operator approves or rejects each request"
        {...form.flag('requireManualApproval')}
      />
    </FormSection>
  );
}

function IntuneSection({ form, profile }: SectionProps & { readonly profile: ScepProfile | undefined }) {
  return (
    <FormSection
      title="Microsoft Intune"
      description="Devices managed by Intune use challenge passwords from Intune, which validates their requests."
    >
      <Switch
        label="Validate requests with Intune"
        description="Applies to all requests, including renewals. No other challenge passwords are accepted"
        {...form.flag('enableIntune')}
      />
      {form.values.enableIntune && (
        <>
          <TextInput
            label="Tenant"
            description="Tenant ID or domain name"
            placeholder="contoso.onmicrosoft.com"
            {...form.text('intuneTenant')}
          />
          <TextInput
            label="Application ID"
            description="Application registered for this platform in the tenant"
            {...form.text('intuneApplicationId')}
          />
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

function RenewalSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Renewal">
      <NumberInput
        label="Renewal window (days before expiry)"
        description="0 = second half of the validity period"
        min={0}
        max={3_650}
        allowDecimal={false}
        value={values.renewalThreshold}
        error={form.problemOf('renewalThreshold')}
        onChange={(days) => form.set('renewalThreshold', Number(days))}
      />
      <NamesChoice
        value={form.values.bindNames}
        error={form.problemOf('bindNames')}
        onChange={(binds) => form.set('bindNames', binds)}
      />
    </FormSection>
  );
}
