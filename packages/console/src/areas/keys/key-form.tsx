// Forms for creating a key, with the attributes that its token defines, and for editing the properties that can be
// changed later.
import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import type { BaseAttributeDto, KeyDetailDto, TokenProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import type { KeyCreationPath } from '../../queries/keys.ts';
import { useGroups, useUsers } from '../../queries/people.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface NewKeyFormProps {
  /** Absent until a token profile is chosen. */
  readonly place: KeyCreationPath | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Selectors for the token profile and the key type. */
  readonly placeFields: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function NewKeyForm({ place, definitions, placeFields, instead }: NewKeyFormProps) {
  const form = useObjectForm({
    what: 'key',
    paths: paths.keys,
    object: undefined,
    start: { name: '', description: '', groups: [] as readonly string[], enabled: true },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({ source: place ? `${place.tokenProfileUuid} ${place.type}` : '', definitions }),
        useCustomFields('keys', undefined),
      ),
    create: async ({ name, description, groups, enabled }, further) => {
      if (!place) throw new Error('No token profile is selected.');
      const own = { name: name.trim(), description, enabled, groupUuids: [...groups] };
      const body = { ...own, attributes: further.request(), ...further.custom.request() };
      return api.keys.createKey({ params: place, body });
    },
    update: () => Promise.reject(new Error('Existing keys are edited with EditKeyForm.')),
    refresh: [['keys']],
  });
  return (
    <ObjectForm form={form} missing={place ? undefined : 'Choose a token profile first.'}>
      <FormSection title="Key">
        {placeFields}
        <TextInput label="Name" required autoComplete="off" spellCheck={false} {...form.text('name')} />
        <DescriptionField form={form} />
        <GroupsField chosen={form.values.groups} onChange={(groups) => form.set('groups', groups)} />
        <Checkbox
          label="Enabled"
          description="The key can be used as soon as it is created."
          {...form.flag('enabled')}
        />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Key attributes" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

export interface EditKeyFormProps {
  readonly keyObject: KeyDetailDto;
  /** Token profiles of the key's token. */
  readonly profiles: readonly TokenProfileDto[];
}

/** Unchanged fields are not sent: someone else may have changed them, or this user may not be able to see them. */
export function EditKeyForm({ keyObject, profiles }: EditKeyFormProps) {
  const start = {
    name: keyObject.name,
    description: keyObject.description ?? '',
    tokenProfile: keyObject.tokenProfileUuid ?? '',
    owner: keyObject.ownerUuid ?? '',
    groups: (keyObject.groups ?? []).map(({ uuid }): string => uuid) as readonly string[],
  };
  const form = useObjectForm({
    what: 'key',
    paths: paths.keys,
    object: keyObject,
    start,
    useFurther: () => useCustomFields('keys', keyObject.customAttributes ?? []),
    create: () => Promise.reject(new Error('New keys are created with NewKeyForm.')),
    update: (uuid, { name, description, tokenProfile, owner, groups }, further) =>
      api.keys.editKey({
        params: { uuid },
        body: {
          name: name.trim(),
          description,
          ...(tokenProfile !== start.tokenProfile && { tokenProfileUuid: tokenProfile }),
          ...(owner !== start.owner && { ownerUuid: owner }),
          ...(groups.join() !== start.groups.join() && { groupUuids: [...groups] }),
          ...further.request(),
        },
      }),
    refresh: [['keys']],
  });
  return (
    <ObjectForm form={form}>
      <FormSection title="Key">
        <TextInput label="Name" required autoComplete="off" spellCheck={false} {...form.text('name')} />
        <DescriptionField form={form} />
        <Select
          label="Token profile"
          description="Must belong to the same token. A key without a token profile cannot be used."
          placeholder={profiles.length === 0 ? 'The token has no profiles' : 'None'}
          searchable
          allowDeselect={false}
          data={profiles.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={form.values.tokenProfile || null}
          onChange={(uuid) => form.set('tokenProfile', uuid ?? '')}
        />
      </FormSection>
      <FormSection title="Ownership">
        <OwnerField owner={form.values.owner} name={keyObject.owner} onChange={(owner) => form.set('owner', owner)} />
        <GroupsField chosen={form.values.groups} onChange={(groups) => form.set('groups', groups)} />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

interface OwnerFieldProps {
  /** Empty if there is no owner. */
  readonly owner: string;
  /** Name of the current owner, shown to users who cannot list users. */
  readonly name: string | undefined;
  readonly onChange: (owner: string) => void;
}

function OwnerField({ owner, name, onChange }: OwnerFieldProps) {
  const { data: users } = useQuery(useUsers());
  if (!users) return <TextInput label="Owner" readOnly variant="unstyled" value={name ?? 'none'} />;
  return (
    <Select
      label="Owner"
      description="Can see the key in the list, even without permissions on its token."
      placeholder="None"
      searchable
      clearable
      nothingFoundMessage="No matching user"
      data={users.filter(({ systemUser }) => !systemUser).map((user) => ({ value: user.uuid, label: user.name }))}
      value={owner || null}
      onChange={(uuid) => onChange(uuid ?? '')}
    />
  );
}

interface GroupsFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (groups: readonly string[]) => void;
}

/** Omitted if the user cannot list groups. */
function GroupsField({ chosen, onChange }: GroupsFieldProps) {
  const { data: groups } = useQuery(useGroups());
  if (!groups || (groups.length === 0 && chosen.length === 0)) return null;
  return (
    <MultiSelect
      label="Groups"
      description="Users who can see the members of a group can see the key."
      searchable
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      data={groups.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      value={[...chosen]}
      onChange={onChange}
    />
  );
}
