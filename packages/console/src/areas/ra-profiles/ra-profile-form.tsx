// The fields of an RA profile, new or present: its own, and those that its authority defines.
import { Checkbox, Textarea } from '@mantine/core';
import type { BaseAttributeDto, RaProfileDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';

export interface RaProfileFormProps {
  readonly authorityUuid: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent while it is being made. */
  readonly profile?: RaProfileDto;
  /** The choice of the authority, of a new one. */
  readonly authorityField?: ReactNode;
  /** In place of the attributes while there are none to show. */
  readonly instead?: ReactNode;
}

export function RaProfileForm(props: RaProfileFormProps) {
  const { authorityUuid, profile, authorityField, instead } = props;
  const form = useRaProfileForm(props);
  return (
    <ObjectForm
      form={form}
      label={profile ? `Edit ${profile.name}` : 'New RA profile'}
      submitLabel={profile ? 'Save' : 'Create'}
      cancelTo={profile ? paths.raProfiles.one(profile.uuid) : paths.raProfiles.list}
      missing={authorityUuid === undefined ? 'Choose an authority first.' : undefined}
    >
      <FormSection title="RA profile">
        {authorityField}
        <NameField form={form} isNew={!profile} hint="Used in URLs: letters, digits and - . _ ~" />
        <Textarea
          label="Description"
          description="Helps people to choose between profiles."
          autosize
          minRows={2}
          {...form.text('description')}
        />
        <Checkbox label="Enabled" description="Certificates can be issued under it." {...form.flag('enabled')} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Conditions" />}
    </ObjectForm>
  );
}

function useRaProfileForm({ authorityUuid, definitions, profile }: RaProfileFormProps) {
  return useObjectForm({
    start: {
      name: profile?.name ?? '',
      description: profile?.description ?? '',
      enabled: profile?.enabled ?? true,
    },
    useFurther: () =>
      useAttributeForm({
        source: authorityUuid ?? '',
        definitions,
        present: profile ? (profile.attributes ?? []) : undefined,
      }),
    save: async ({ description, enabled, ...values }, further) => {
      if (authorityUuid === undefined) throw new Error('No authority is chosen.');
      const name = values.name.trim();
      const body = { description: description.trim(), enabled, attributes: further.request() };
      if (profile) {
        await api.raProfiles.editRaProfile({ params: { authorityUuid, raProfileUuid: profile.uuid }, body });
        return { notice: `${name} was saved.`, to: paths.raProfiles.one(profile.uuid) };
      }
      const { uuid } = await api.raProfiles.createRaProfile({ params: { authorityUuid }, body: { ...body, name } });
      return { notice: `${name} was created.`, to: paths.raProfiles.one(uuid) };
    },
    refresh: [['raProfiles']],
  });
}
