// Form for a new or existing EST profile.
import { Switch, TagsInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { est } from '../protocols/protocol.ts';
import { NamesChoice } from '../protocols/settings/names-choice.tsx';
import { ProfileForm } from '../protocols/settings/profile-form.tsx';
import { useProfileForm, type FurtherOfProfile } from '../protocols/settings/use-profile-form.ts';
import { bodyOf, valuesOf, type EstValues } from './est-values.ts';
import { RequestsSection } from './requests-section.tsx';
import { tagsOf } from './tags-of.ts';
import { UsersField } from './users-field.tsx';

interface SectionProps {
  readonly form: ObjectFormModel<EstValues, FurtherOfProfile>;
}

/** If `profile` is absent, the form creates a profile. */
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
    <FormSection title="Clients" description="How clients authenticate. Any one method is sufficient.">
      <UsersField users={values.users} error={form.problemOf('users')} onChange={(users) => form.set('users', users)} />
      <Switch
        label="Accept one-time passwords"
        description="Created under the RA profile; each is valid for one request"
        {...form.flag('oneTimePasswords')}
      />
      <Switch
        label="Accept certificates from this CA"
        description="Clients can authenticate with certificates issued by the authority of the RA profile, and renew them"
        {...form.flag('ownCertificates')}
      />
      <TagsInput
        label="Other trusted authorities"
        description="UUIDs of certificates in the inventory, such as those of device manufacturer CAs"
        {...tagsOf(form, 'trustedCertificateUuids')}
      />
      <NamesChoice
        value={form.values.bindNames}
        error={form.problemOf('bindNames')}
        onChange={(binds) => form.set('bindNames', binds)}
      />
      <Switch
        label="Require manual approval"
        description="An operator approves or rejects each request"
        {...form.flag('manualApproval')}
      />
      <Switch
        label="Server-side key generation"
        description="For devices that cannot generate good keys. The key is sent with the certificate and not stored."
        {...form.flag('serverKeys')}
      />
    </FormSection>
  );
}

function RenewalSection({ form }: SectionProps) {
  return (
    <FormSection title="Renewal">
      <Switch
        label="Allow renewal with a password"
        description="Otherwise, clients must authenticate with the certificate being renewed"
        {...form.flag('passwordsRenew')}
      />
      <Switch
        label="Renewals keep subject and SANs"
        description="A renewal must have the same subject and SANs as the certificate being renewed"
        {...form.flag('renewalsKeepNames')}
      />
    </FormSection>
  );
}
