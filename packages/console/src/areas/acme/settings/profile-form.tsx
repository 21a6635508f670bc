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
import { IssuingSection } from './issuing-section.tsx';
import { NamePolicySection } from './name-policy-section.tsx';
import { NameSection } from './name-section.tsx';
import { OfferedProfilesSection } from './offered-profiles-section.tsx';
import { createRequestOf, editRequestOf, newProfileValues, valuesOf, type ProfileValues } from './profile-values.ts';
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

type Further = CertificateAttributeForms & { readonly custom: CustomFields };

const useProfileForm = (profile: Profile | undefined): ObjectFormModel<ProfileValues, Further> =>
  useObjectForm({
    what: 'ACME profile',
    paths: { ...paths.acme, one: (uuid) => paths.acme.tab(uuid, 'settings') },
    object: profile,
    start: profile ? valuesOf(profile) : newProfileValues,
    useFurther: ({ raProfileUuid }) =>
      withCustomFields(
        useCertificateAttributes(raProfileUuid, profile),
        useCustomFields('acmeProfiles', profile && (profile.customAttributes ?? [])),
      ),
    create: async (values, further) => {
      const body = { ...createRequestOf(values, further.request()), ...further.custom.request() };
      const { uuid } = await api.acmeProfiles.createAcmeProfile({ body });
      // A new profile is disabled. Without permission to enable it, it stays so, and the page says it.
      return { uuid, to: paths.acme.one(uuid), isQuiet: !(await enable(uuid)) };
    },
    update: (uuid, values, further) =>
      api.acmeProfiles.editAcmeProfile({
        params: { uuid },
        body: { ...editRequestOf(values, further.request()), ...further.custom.request() },
      }),
    refresh: [ACME_KEY],
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
