// The fields of a new or existing RA profile: its own, and those that its authority defines.
import { Checkbox } from '@mantine/core';
import type { BaseAttributeDto, RaProfileDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface RaProfileFormProps {
  readonly authorityUuid: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** If `profile` is absent, the form creates a profile. */
  readonly profile?: RaProfileDto;
  /** Authority selector, for a new profile. */
  readonly authorityField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function RaProfileForm(props: RaProfileFormProps) {
  const { authorityUuid, profile, authorityField, instead } = props;
  const form = useRaProfileForm(props);
  return (
    <ObjectForm form={form} missing={authorityUuid === undefined ? 'Choose an authority first.' : undefined}>
      <FormSection title="RA profile">
        {authorityField}
        <NameField form={form} isNew={!profile} hint="Used in URLs: letters, digits and - . _ ~" />
        <DescriptionField form={form} />
        <Checkbox label="Enabled" description="Certificates can be issued under it." {...form.flag('enabled')} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Conditions" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

function useRaProfileForm({ authorityUuid = '', definitions, profile }: RaProfileFormProps) {
  return useObjectForm({
    what: 'RA profile',
    paths: paths.raProfiles,
    object: profile,
    start: {
      name: profile?.name ?? '',
      description: profile?.description ?? '',
      enabled: profile?.enabled ?? true,
    },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: authorityUuid,
          definitions,
          present: profile && (profile.attributes ?? []),
          callBack: (body, signal) =>
            api.callbacks.resourceCallback(
              { params: { resource: 'raProfiles', parentObjectUuid: authorityUuid }, body },
              { signal },
            ),
        }),
        useCustomFields('raProfiles', profile && (profile.customAttributes ?? [])),
      ),
    create: ({ name, ...values }, further) =>
      api.raProfiles.createRaProfile({
        params: { authorityUuid },
        body: { name: name.trim(), ...values, attributes: further.request(), ...further.custom.request() },
      }),
    update: (raProfileUuid, { description, enabled }, further) =>
      api.raProfiles.editRaProfile({
        params: { authorityUuid, raProfileUuid },
        body: { description, enabled, attributes: further.request(), ...further.custom.request() },
      }),
    refresh: [['raProfiles']],
  });
}
