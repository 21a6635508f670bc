// Form for a CMP profile.
import { NumberInput, Select, Switch, Textarea } from '@mantine/core';
import { CmpProfileVariant, ProtectionMethod } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { cmpSigningCertificatesQuery, type CmpProfile } from '../../queries/protocols.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { cmp } from '../protocols/protocol.ts';
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
import { encodedFrom, pemOf } from './certificate-list.ts';

interface CmpValues extends CommonValues {
  readonly variant: CmpProfileVariant;
  readonly requestProtectionMethod: ProtectionMethod;
  readonly responseProtectionMethod: ProtectionMethod;
  /** Empty to keep the profile's secret. */
  readonly sharedSecret: string;
  readonly signingCertificateUuid: string;
  readonly implicitConfirmation: boolean;
  readonly oneTimeSecrets: boolean;
  /** PEM, like the field below. */
  readonly trustedAuthorities: string;
  readonly registrationAuthorities: string;
  /** Undefined if not decided yet. */
  readonly bindNames: boolean | undefined;
  readonly requireManualApproval: boolean;
  readonly centralKeys: boolean;
  readonly maxMacIterations: number;
}

const valuesOf = (profile: CmpProfile | undefined): CmpValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommon),
  variant: profile?.variant ?? 'v2',
  requestProtectionMethod: profile?.requestProtectionMethod ?? 'sharedSecret',
  responseProtectionMethod: profile?.responseProtectionMethod ?? 'sharedSecret',
  sharedSecret: '',
  signingCertificateUuid: profile?.signingCertificate?.uuid ?? '',
  implicitConfirmation: profile?.implicitConfirmation ?? true,
  oneTimeSecrets: profile?.oneTimeSecrets ?? true,
  trustedAuthorities: pemOf(profile?.trustedAuthorities ?? []),
  registrationAuthorities: pemOf(profile?.registrationAuthorities ?? []),
  bindNames: profile ? profile.bindNames : true,
  requireManualApproval: profile?.requireManualApproval ?? false,
  centralKeys: profile?.centralKeys ?? false,
  maxMacIterations: profile?.maxMacIterations ?? 100_000,
});

const bodyOf = (values: CmpValues, { common, attributes, custom }: Given) => ({
  ...common,
  ...custom,
  ...attributes,
  name: values.name.trim(),
  variant: values.variant,
  requestProtectionMethod: values.requestProtectionMethod,
  responseProtectionMethod: values.responseProtectionMethod,
  ...(values.sharedSecret === '' ? {} : { sharedSecret: values.sharedSecret }),
  ...(values.signingCertificateUuid === '' ? {} : { signingCertificateUuid: values.signingCertificateUuid }),
  implicitConfirmation: values.implicitConfirmation,
  oneTimeSecrets: values.oneTimeSecrets,
  trustedAuthorities: encodedFrom(values.trustedAuthorities),
  registrationAuthorities: encodedFrom(values.registrationAuthorities),
  ...(values.bindNames !== undefined && { bindNames: values.bindNames }),
  requireManualApproval: values.requireManualApproval,
  centralKeys: values.centralKeys,
  maxMacIterations: values.maxMacIterations,
});

const variants = CmpProfileVariant.options.map((value) => ({ value, label: CmpProfileVariant.labels[value] }));
const methods = [
  { value: 'sharedSecret', label: 'Shared secret' },
  { value: 'signature', label: 'Signature' },
] as const;

interface SectionProps {
  readonly form: ObjectFormModel<CmpValues, FurtherOfProfile>;
}

/** If `profile` is absent, the form creates a profile. */
export function CmpForm({ profile }: { readonly profile?: CmpProfile }) {
  const form = useProfileForm<CmpValues>({
    protocol: cmp,
    profile,
    start: valuesOf(profile),
    revokes: true,
    check: ({ sharedSecret }) => assertLongSecret('sharedSecret', sharedSecret),
    create: (values, given) => api.cmpProfiles.createCmpProfile({ body: bodyOf(values, given) }),
    update: (cmpProfileUuid, values, given) =>
      api.cmpProfiles.editCmpProfile({ params: { cmpProfileUuid }, body: bodyOf(values, given) }),
  });
  return (
    <ProfileForm protocol={cmp} form={form} isNew={profile === undefined}>
      <ProtectionSection form={form} profile={profile} />
      <TrustSection form={form} />
      <RequestsSection form={form} />
    </ProfileForm>
  );
}

function ProtectionSection({ form, profile }: SectionProps & { readonly profile: CmpProfile | undefined }) {
  const { values } = form;
  const choices = useQuery(cmpSigningCertificatesQuery);
  const method = (
    label: string,
    field: 'requestProtectionMethod' | 'responseProtectionMethod',
    description: string,
  ) => (
    <Select
      label={label}
      description={description}
      allowDeselect={false}
      data={[...methods]}
      value={values[field]}
      error={form.problemOf(field)}
      onChange={(value) => form.set(field, methods.find((each) => each.value === value)?.value ?? values[field])}
    />
  );
  const needsSecret =
    values.requestProtectionMethod === 'sharedSecret' || values.responseProtectionMethod === 'sharedSecret';
  return (
    <FormSection title="Protection" description="How messages are protected. Unprotected messages are rejected.">
      <Select
        label="Version"
        allowDeselect={false}
        data={variants}
        value={values.variant}
        onChange={(value) => form.set('variant', CmpProfileVariant.options.find((each) => each === value) ?? 'v2')}
      />
      {method('Request protection', 'requestProtectionMethod', 'Used by clients')}
      {method('Response protection', 'responseProtectionMethod', 'Used by the platform')}
      {needsSecret && (
        <SharedSecretField
          label="Shared secret"
          description={
            profile
              ? 'Never shown. Leave empty to keep the current secret.'
              : 'At least 16 random characters, because guesses can be tested against a recorded message. Copy it now; it will not be shown again.'
          }
          value={values.sharedSecret}
          error={form.problemOf('sharedSecret')}
          onChange={(secret) => form.set('sharedSecret', secret)}
        />
      )}
      {values.responseProtectionMethod === 'signature' && (
        <CertificateChoice
          label="Response signing certificate"
          description="Certificate whose key is in a token"
          choices={choices}
          value={values.signingCertificateUuid}
          error={form.problemOf('signingCertificateUuid')}
          onChange={(uuid) => form.set('signingCertificateUuid', uuid)}
        />
      )}
      <Switch
        label="Accept one-time secrets"
        description="Created under the RA profile, each valid for one request"
        {...form.flag('oneTimeSecrets')}
      />
      <IterationsField form={form} />
      <Switch
        label="Allow implicit confirmation"
        description="Clients that request it do not need to confirm their certificate"
        {...form.flag('implicitConfirmation')}
      />
    </FormSection>
  );
}

function IterationsField({ form }: SectionProps) {
  return (
    <NumberInput
      label="Maximum MAC iterations"
      description="Requests above this limit are rejected, because the MAC must be computed before the sender is known"
      min={1_000}
      max={2_000_000}
      allowDecimal={false}
      value={form.values.maxMacIterations}
      error={form.problemOf('maxMacIterations')}
      onChange={(count) => form.set('maxMacIterations', Number(count))}
    />
  );
}

function TrustSection({ form }: SectionProps) {
  return (
    <FormSection title="Trust" description="PEM certificates, one after another.">
      <Textarea
        label="Trusted authorities"
        description="Additional CAs whose certificates may sign requests, for example device manufacturer CAs"
        autosize
        minRows={2}
        maxRows={8}
        {...form.text('trustedAuthorities')}
      />
      <Textarea
        label="Registration authorities"
        description="May assert proof of possession and revoke"
        autosize
        minRows={2}
        maxRows={8}
        {...form.text('registrationAuthorities')}
      />
      <NamesChoice
        value={form.values.bindNames}
        error={form.problemOf('bindNames')}
        onChange={(binds) => form.set('bindNames', binds)}
      />
    </FormSection>
  );
}

function RequestsSection({ form }: SectionProps) {
  return (
    <FormSection title="Requests">
      <Switch
        label="Require manual approval"
        description="An operator approves or rejects each request; clients poll in the meantime"
        {...form.flag('requireManualApproval')}
      />
      <Switch
        label="Server-side key generation"
        description="For requests without a key; the key is sent encrypted along with the certificate and is not stored"
        {...form.flag('centralKeys')}
      />
    </FormSection>
  );
}
