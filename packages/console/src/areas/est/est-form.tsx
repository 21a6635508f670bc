// The form of an EST profile.
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
        {...tagsOf(form, 'trustedCertificateUuids')}
      />
      <NamesChoice
        value={form.values.bindNames}
        error={form.problemOf('bindNames')}
        onChange={(binds) => form.set('bindNames', binds)}
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
