// The form of an EST profile.
import { Select, Switch, TagsInput } from '@mantine/core';
import { EstKeyType } from '@signetry/contract';
import { api } from '../../api/client.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import { DurationField } from '../../ui/duration-field.tsx';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { est } from '../protocols/protocol.ts';
import { ProfileForm } from '../protocols/settings/profile-form.tsx';
import {
  commonValuesOf,
  emptyCommon,
  useProfileForm,
  type CommonValues,
  type FurtherOfProfile,
  type Given,
} from '../protocols/settings/use-profile-form.ts';
import { wordsOfKeyType } from './words.ts';
import { UsersField, type UserValues } from './users-field.tsx';

interface EstValues extends CommonValues {
  readonly isDefault: boolean;
  readonly ownCertificates: boolean;
  readonly trustedCertificateUuids: readonly string[];
  readonly oneTimePasswords: boolean;
  readonly passwordsRenew: boolean;
  readonly renewalsKeepNames: boolean;
  readonly requireLinking: boolean;
  /** Empty: clients choose. */
  readonly keyType: EstKeyType | '';
  readonly attributes: readonly string[];
  readonly extensions: readonly string[];
  readonly manualApproval: boolean;
  readonly serverKeys: boolean;
  /** Seconds. */
  readonly retryAfter: number;
  readonly users: readonly UserValues[];
}

const valuesOf = (profile: EstProfile | undefined): EstValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommon),
  isDefault: profile?.isDefault ?? false,
  ownCertificates: profile?.ownCertificates ?? true,
  trustedCertificateUuids: profile?.trustedCertificateUuids ?? [],
  oneTimePasswords: profile?.oneTimePasswords ?? true,
  passwordsRenew: profile?.passwordsRenew ?? false,
  renewalsKeepNames: profile?.renewalsKeepNames ?? true,
  requireLinking: profile?.requireLinking ?? false,
  keyType: profile?.requestedAttributes.keyType ?? '',
  attributes: profile?.requestedAttributes.attributes ?? [],
  extensions: profile?.requestedAttributes.extensions ?? [],
  manualApproval: profile?.manualApproval ?? false,
  serverKeys: profile?.serverKeys ?? false,
  retryAfter: profile?.retryAfter ?? 60,
  users: (profile?.users ?? []).map(({ username }) => ({ username, password: '', isKnown: true })),
});

const bodyOf = (values: EstValues, { common, attributes }: Given) => ({
  ...common,
  issueCertificateAttributes: attributes.issueCertificateAttributes,
  isDefault: values.isDefault,
  ownCertificates: values.ownCertificates,
  trustedCertificateUuids: [...values.trustedCertificateUuids],
  oneTimePasswords: values.oneTimePasswords,
  passwordsRenew: values.passwordsRenew,
  renewalsKeepNames: values.renewalsKeepNames,
  requireLinking: values.requireLinking,
  requestedAttributes: {
    attributes: [...values.attributes],
    extensions: [...values.extensions],
    ...(values.keyType === '' ? {} : { keyType: values.keyType }),
  },
  manualApproval: values.manualApproval,
  serverKeys: values.serverKeys,
  retryAfter: values.retryAfter,
  users: values.users.map(({ username, password }) => ({
    username: username.trim(),
    ...(password === '' ? {} : { password }),
  })),
});

interface SectionProps {
  readonly form: ObjectFormModel<EstValues, FurtherOfProfile>;
}

/** Absent for a new one. */
export function EstForm({ profile }: { readonly profile?: EstProfile }) {
  const form = useProfileForm<EstValues>({
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
      <ClientsSection form={form} />
      <RenewalSection form={form} />
      <RequestsSection form={form} />
    </ProfileForm>
  );
}

function ClientsSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Clients" description="How a client shows that it may ask. Each of these is enough.">
      <UsersField users={values.users} error={form.problemOf('users')} onChange={(users) => form.set('users', users)} />
      <Switch
        label="Take one-time passwords"
        description="Handed out under the RA profile, each for one request"
        {...form.flag('oneTimePasswords')}
      />
      <Switch
        label="Take certificates of the authority"
        description="What the authority of the RA profile issued identifies clients, and is renewed"
        {...form.flag('ownCertificates')}
      />
      <TagsInput
        label="Other trusted authorities"
        description="Identifiers of certificates in the inventory, such as those of makers of devices"
        {...listOf(form, 'trustedCertificateUuids')}
      />
      <Switch
        label="Keep requests for a person"
        description="An operator issues or rejects each"
        {...form.flag('manualApproval')}
      />
      <Switch
        label="Make keys for clients"
        description="For devices that cannot make good ones; the key is sent with the certificate, and kept nowhere"
        {...form.flag('serverKeys')}
      />
    </FormSection>
  );
}

function RenewalSection({ form }: SectionProps) {
  return (
    <FormSection title="Renewal">
      <Switch
        label="Renew with a password, too"
        description="Otherwise only the certificate that is renewed is enough"
        {...form.flag('passwordsRenew')}
      />
      <Switch
        label="Keep the names"
        description="A renewal must have the subject and the alternative names of its certificate"
        {...form.flag('renewalsKeepNames')}
      />
    </FormSection>
  );
}

function RequestsSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Requests" description="What clients are told to send, and when to ask again.">
      <Select
        label="Kind of key"
        clearable
        placeholder="Clients choose"
        data={EstKeyType.options.map((value) => ({ value, label: wordsOfKeyType[value] }))}
        value={values.keyType || null}
        onChange={(value) => form.set('keyType', EstKeyType.options.find((each) => each === value) ?? '')}
      />
      <TagsInput label="Attributes" description="Object identifiers in dotted form" {...listOf(form, 'attributes')} />
      <TagsInput label="Extensions" description="Object identifiers in dotted form" {...listOf(form, 'extensions')} />
      <Switch
        label="Require requests to be linked to their connection"
        description="Few clients do this (RFC 7030 §3.5)"
        {...form.flag('requireLinking')}
      />
      <DurationField
        label="Clients ask again after"
        description="While a request waits"
        seconds={values.retryAfter}
        error={form.problemOf('retryAfter')}
        onChange={(seconds) => form.set('retryAfter', seconds)}
      />
      <Switch
        label="Serve it without a label, too"
        description="Below /.well-known/est; one profile at most"
        {...form.flag('isDefault')}
      />
    </FormSection>
  );
}

/** A field with several texts. */
const listOf = (form: SectionProps['form'], field: 'attributes' | 'extensions' | 'trustedCertificateUuids') => ({
  splitChars: [',', ' '],
  acceptValueOnBlur: true,
  value: [...form.values[field]],
  error: form.problemOf(field),
  onChange: (entries: string[]) => form.set(field, entries),
});
