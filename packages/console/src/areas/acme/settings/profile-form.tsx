// The form of a profile, new or existing.
import { api } from '../../../api/client.ts';
import { ObjectForm } from '../../../kit/object-form.tsx';
import { paths } from '../../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../../kit/use-object-form.ts';
import { ACME_KEY } from '../../../queries/acme.ts';
import { notify } from '../../../ui/notices.tsx';
import type { Profile } from '../shapes.ts';
import { CustomSection } from '../../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields, type CustomFields } from '../../custom-attributes/use-custom-fields.ts';
import { AccountSection } from './account-section.tsx';
import { AttributesSection } from './attributes-section.tsx';
import { useCertificateAttributes, type CertificateAttributeForms } from './certificate-attributes.ts';
import { CertificatesSection } from './certificates-section.tsx';
import { IssuingSection } from './issuing-section.tsx';
import { NamePolicySection } from './name-policy-section.tsx';
import { NameSection } from './name-section.tsx';
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
import { TimesSection } from './times-section.tsx';
import { ValidationSection } from './validation-section.tsx';

/** Absent for a new one. */
export function ProfileForm({ profile }: { readonly profile?: Profile }) {
  const form = useProfileForm(profile);
  const section = { form, isNew: profile === undefined };
  return (
    <ObjectForm form={form} missing={form.further.isLoading ? 'Loading the settings of the authority…' : undefined}>
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
  /** Of the certificates that are issued with it. */
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
      // A new profile is disabled. Without permission to enable it, it stays so, and the page says it.
      return { uuid, to: paths.acme.one(uuid), isQuiet: !(await enable(uuid)) };
    },
    update: (uuid, values, further) =>
      api.acmeProfiles.editAcmeProfile({
        params: { uuid },
        body: { ...editRequestOf(values, givenOf(further, profile)), ...further.custom.request() },
      }),
    refresh: [ACME_KEY],
  });

/** What certificates get is replaced as a whole: where the fields are unknown, it is sent as it is. */
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
