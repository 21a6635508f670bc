// Form for a new or existing profile.
import { api } from '../../../api/client.ts';
import { ObjectForm } from '../../../kit/object-form.tsx';
import { paths } from '../../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../../kit/use-object-form.ts';
import { ACME_KEY } from '../../../queries/acme.ts';
import { notify } from '../../../ui/notices.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import { DescriptionField, NameField } from '../../../kit/name-field.tsx';
import { DurationField } from '../../../ui/duration-field.tsx';
import { CustomSection } from '../../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields, type CustomFields } from '../../custom-attributes/use-custom-fields.ts';
import type { Profile } from '../shapes.ts';
import { AccountSection } from './account-section.tsx';
import { AttributesSection } from './attributes-section.tsx';
import { useCertificateAttributes, type CertificateAttributeForms } from './certificate-attributes.ts';
import { CertificatesSection } from './certificates-section.tsx';
import { IssuingSection } from './issuing-section.tsx';
import { OfferedProfilesSection } from './offered-profiles-section.tsx';
import {
  createRequestOf,
  customOfCertificates,
  editRequestOf,
  newProfileValues,
  valuesOf,
  type GivenAttributes,
  type ProfileValues,
} from './profile-values.ts';
import { ValidationSection } from './validation-section.tsx';
import { NamePolicyFields } from './name-policy-fields.tsx';
import type { SectionProps } from './section.ts';

/** If `profile` is absent, the form creates a profile. */
export function ProfileForm({ profile }: { readonly profile?: Profile }) {
  const form = useProfileForm(profile);
  const section = { form, isNew: profile === undefined };
  return (
    <ObjectForm form={form} missing={form.further.isLoading ? 'Loading authority settings…' : undefined}>
      <NameSection {...section} />
      <IssuingSection {...section} />
      <CertificatesSection custom={form.further.ofCertificates} />
      <OfferedProfilesSection {...section} />
      <AccountSection {...section} />
      <NamePolicySection {...section} />
      <ValidationSection {...section} />
      <TimesSection {...section} />
      <AttributesSection attributes={form.further} />
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

type Further = CertificateAttributeForms & {
  readonly custom: CustomFields;
  /** Custom attributes of the certificates that are issued with the profile. */
  readonly ofCertificates: CustomFields;
};

const useProfileForm = (profile: Profile | undefined): ObjectFormModel<ProfileValues, Further> =>
  useObjectForm({
    what: 'ACME profile',
    paths: { ...paths.acme, one: (uuid) => paths.acme.tab(uuid, 'settings') },
    object: profile,
    start: profile ? valuesOf(profile) : newProfileValues,
    useFurther: ({ raProfileUuid }) => {
      const associated = profile && (profile.certificateAssociations?.customAttributes ?? []);
      const ofCertificates = useCustomFields('certificates', associated, { isPartial: true });
      const own = useCustomFields('acmeProfiles', profile && (profile.customAttributes ?? []));
      const attributes = withCustomFields(useCertificateAttributes(raProfileUuid, profile), ofCertificates);
      return { ...withCustomFields(attributes, own), ofCertificates };
    },
    create: async (values, further) => {
      const body = { ...createRequestOf(values, givenOf(further)), ...further.custom.request() };
      const { uuid } = await api.acmeProfiles.createAcmeProfile({ body });
      // A profile is disabled when it is created. Without permission to enable it, it remains disabled, and the page
      // shows this.
      return { uuid, to: paths.acme.one(uuid), isQuiet: !(await enable(uuid)) };
    },
    update: (uuid, values, further) =>
      api.acmeProfiles.editAcmeProfile({
        params: { uuid },
        body: { ...editRequestOf(values, givenOf(further, profile)), ...further.custom.request() },
      }),
    refresh: [ACME_KEY],
  });

/**
 * Certificate attributes are replaced as a whole. If the fields are not known, the existing values are therefore sent
 * unchanged.
 */
const givenOf = (further: Further, profile?: Profile): GivenAttributes => ({
  ...further.request(),
  ofCertificates:
    further.ofCertificates.request().customAttributes ??
    (further.ofCertificates.isKnown ? [] : customOfCertificates(profile)),
});

async function enable(uuid: string): Promise<boolean> {
  try {
    await api.acmeProfiles.enableAcmeProfile({ params: { uuid } });
    return true;
  } catch (error) {
    notify.failed(error);
    return false;
  }
}

/** Names that clients can order. */
function NamePolicySection({ form }: SectionProps) {
  return (
    <FormSection
      title="Names"
      description="Names and IP addresses that clients can order. An external account key or the RA profile can restrict these further."
    >
      <NamePolicyFields
        values={form.values.namePolicy}
        error={form.problemOf('namePolicy')}
        onChange={(values) => form.set('namePolicy', values)}
      />
    </FormSection>
  );
}

function NameSection({ form, isNew }: SectionProps) {
  return (
    <FormSection title="Profile" description="The name is part of the directory URL and cannot be changed later.">
      <NameField form={form} isNew={isNew} hint="Letters, digits and - . _ ~, for example: web" />
      <DescriptionField form={form} />
    </FormSection>
  );
}

/** The lifetime of orders and the polling interval. */
function TimesSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Time limits" description="The defaults suit most setups.">
      <DurationField
        label="Orders expire after"
        description="A client that has not finished by then must place a new order."
        seconds={values.validity}
        error={form.problemOf('validity')}
        onChange={(seconds) => form.set('validity', seconds)}
      />
      <DurationField
        label="Polling interval"
        description="While a certificate is being issued"
        seconds={values.retryInterval}
        error={form.problemOf('retryInterval')}
        onChange={(seconds) => form.set('retryInterval', seconds)}
      />
    </FormSection>
  );
}
