// The fields of a group, new or existing.
import { TextInput } from '@mantine/core';
import type { GroupDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields } from '../custom-attributes/use-custom-fields.ts';

export function GroupForm({ group }: { readonly group?: GroupDto }) {
  const form = useObjectForm({
    what: 'group',
    paths: paths.groups,
    object: group,
    start: { name: group?.name ?? '', description: group?.description ?? '', email: group?.email ?? '' },
    useFurther: () => useCustomFields('groups', group && (group.customAttributes ?? [])),
    create: (values, further) => api.groups.createGroup({ body: { ...trimmed(values), ...further.request() } }),
    update: (uuid, values, further) =>
      api.groups.editGroup({ params: { uuid }, body: { ...trimmed(values), ...further.request() } }),
    // Users and certificates show the names of their groups.
    refresh: [['groups'], ['users'], ['certificates']],
  });
  return (
    <ObjectForm form={form}>
      <FormSection title="Group">
        <TextInput label="Name" required autoComplete="off" {...form.text('name')} />
        <DescriptionField form={form} />
        <TextInput
          label="E-mail"
          description="Where the team reads what concerns its certificates."
          type="email"
          {...form.text('email')}
        />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

const trimmed = (values: { readonly name: string; readonly description: string; readonly email: string }) => ({
  name: values.name.trim(),
  description: values.description,
  email: values.email.trim(),
});
