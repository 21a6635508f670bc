// Form for a CMP profile.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { cmpSigningCertificatesQuery, type CmpProfile } from '../../queries/protocols.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { cmp } from '../protocols/protocol.ts';
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
import { cmpSettings, type CmpValues } from './setting-table.tsx';

type FormValues = CommonValues & CmpValues;

const valuesOf = (profile: CmpProfile | undefined): FormValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommonValues),
  ...cmpSettings.valuesOf(profile),
});

const bodyOf = (values: FormValues, { common, attributes, custom }: SubmittedFields) => ({
  ...common,
  ...custom,
  ...attributes,
  name: values.name.trim(),
  ...cmpSettings.bodyOf(values),
});

interface SectionProps {
  readonly form: ObjectFormModel<FormValues, FurtherProfileFields>;
}

/** If `profile` is absent, the form creates a profile. */
export function CmpForm({ profile }: { readonly profile?: CmpProfile }) {
  const form = useProfileForm<FormValues>({
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
      <FormSection title="Trust" description="PEM certificates, one after another.">
        <SettingInputs
          table={cmpSettings}
          form={form}
          names={['trustedAuthorities', 'registrationAuthorities', 'bindNames']}
        />
      </FormSection>
      <FormSection title="Requests">
        <SettingInputs table={cmpSettings} form={form} names={['requireManualApproval', 'centralKeys']} />
      </FormSection>
    </ProfileForm>
  );
}

function ProtectionSection({ form, profile }: SectionProps & { readonly profile: CmpProfile | undefined }) {
  const { values } = form;
  const choices = useQuery(cmpSigningCertificatesQuery);
  const { acceptBothProtections: acceptsBoth } = values;
  const needsSecret =
    acceptsBoth || [values.requestProtectionMethod, values.responseProtectionMethod].includes('sharedSecret');
  return (
    <FormSection title="Protection" description="How messages are protected. Unprotected messages are rejected.">
      <SettingInputs
        table={cmpSettings}
        form={form}
        names={['variant', 'requestProtectionMethod', 'acceptBothProtections', 'responseProtectionMethod']}
      />
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
      {(acceptsBoth || values.responseProtectionMethod === 'signature') && (
        <CertificateChoice
          label="Response signing certificate"
          description="Certificate whose key is in a token"
          choices={choices}
          value={values.signingCertificateUuid}
          error={form.problemOf('signingCertificateUuid')}
          onChange={(uuid) => form.set('signingCertificateUuid', uuid)}
        />
      )}
      <SettingInputs
        table={cmpSettings}
        form={form}
        names={['oneTimeSecrets', 'maxMacIterations', 'implicitConfirmation', 'strictMessages', 'messageTimeTolerance']}
      />
    </FormSection>
  );
}
