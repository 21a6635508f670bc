// The form of a SCEP profile.
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
  /** Days; 0: in the second half of the validity. */
  readonly renewalThreshold: number;
  /** Empty: that of the profile stays. */
  readonly challengePassword: string;
  readonly withoutPassword: boolean;
  readonly oneTimeChallenges: boolean;
  readonly challengeWebhookUrl: string;
  readonly enableIntune: boolean;
  readonly intuneTenant: string;
  readonly intuneApplicationId: string;
  /** Empty: that of the profile stays. */
  readonly intuneApplicationKey: string;
  /** Undefined: nobody has decided. */
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
  // A new profile lets nobody in without a challenge.
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

/** Absent for a new one. */
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
      description="Requests are encrypted for this certificate, and responses signed with it."
    >
      <CertificateChoice
        label="Certificate of the service"
        description="Its RSA key is in a token and may sign and decrypt"
        choices={choices}
        value={values.caCertificateUuid}
        error={form.problemOf('caCertificateUuid')}
        onChange={(uuid) => form.set('caCertificateUuid', uuid)}
      />
      <Switch label="Send the certificate of the authority" {...form.flag('includeCaCertificate')} />
      <Switch label="Send the chain of the authority" {...form.flag('includeCaCertificateChain')} />
      <Switch
        label="Allow old clients"
        description="DES, triple DES and SHA-1, which are weak: only for devices that know nothing else"
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
      description="What a first request must have. Without any of these, everybody who reaches the address gets a certificate."
    >
      <Switch
        label="Take one-time challenges"
        description="Handed out under the RA profile, each for one request"
        {...form.flag('oneTimeChallenges')}
      />
      <SharedSecretField
        label="Challenge password"
        description={
          profile?.hasChallengePassword
            ? 'The same for all clients. There is one, which is never shown; leave this empty to keep it.'
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
        label="Ask this address about challenges"
        description="A server of yours that answers whether a challenge is right; empty: none"
        placeholder="https://"
        type="url"
        {...form.text('challengeWebhookUrl')}
      />
      <Switch
        label="Keep requests for a person"
        description="An operator issues or rejects each"
        {...form.flag('requireManualApproval')}
      />
    </FormSection>
  );
}

function IntuneSection({ form, profile }: SectionProps & { readonly profile: ScepProfile | undefined }) {
  return (
    <FormSection
      title="Microsoft Intune"
      description="Devices that Intune manages have challenges of Intune, which validates their requests."
    >
      <Switch
        label="Have Intune validate requests"
        description="All of them, renewals too; challenges of other kinds are not taken then"
        {...form.flag('enableIntune')}
      />
      {form.values.enableIntune && (
        <>
          <TextInput
            label="Tenant"
            description="Its identifier or domain name"
            placeholder="contoso.onmicrosoft.com"
            {...form.text('intuneTenant')}
          />
          <TextInput
            label="Application identifier"
            description="Of the application that is registered in the tenant for this platform"
            {...form.text('intuneApplicationId')}
          />
          <PasswordInput
            label="Application key"
            description={
              profile?.hasIntuneApplicationKey
                ? 'A client secret of the application. There is one, which is never shown; leave this empty to keep it.'
                : 'A client secret of the application'
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
        label="From how many days before the end"
        description="0: in the second half of the validity"
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
