// Pages for adding and editing a group.
import { useQuery } from '@tanstack/react-query';
import { TextInput } from '@mantine/core';
import type { GroupDto } from '@signetry/contract';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { groupQuery } from '../../queries/people.ts';
import { Page } from '../../ui/page.tsx';
import { api } from '../../api/client.ts';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields } from '../custom-attributes/use-custom-fields.ts';

export function NewGroupPage() {
  return (
    <Page
      title="New group"
      description="Users are added on their own pages, certificates when they are issued or later."
      parent={{ to: paths.groups.list, label: 'Groups' }}
    >
      <GroupForm />
    </Page>
  );
}

export function EditGroupPage() {
  return (
    <EditPage query={useQuery(groupQuery(useUuid()))} what="the group" paths={paths.groups}>
      {(group) => <GroupForm group={group} />}
    </EditPage>
  );
}

/** Form for a new or existing group. */
function GroupForm({ group }: { readonly group?: GroupDto }) {
  const form = useObjectForm({
    what: 'group',
    paths: paths.groups,
    object: group,
    start: { name: group?.name ?? '', description: group?.description ?? '', email: group?.email ?? '' },
    useFurther: () => useCustomFields('groups', group && (group.customAttributes ?? [])),
    create: (values, further) => api.groups.createGroup({ body: { ...trimValues(values), ...further.request() } }),
    update: (uuid, values, further) =>
      api.groups.editGroup({ params: { uuid }, body: { ...trimValues(values), ...further.request() } }),
    // Users and certificates show the names of the groups that they belong to.
    refresh: [['groups'], ['users'], ['certificates']],
  });
  return (
    <ObjectForm form={form}>
      <FormSection title="Group">
        <TextInput label="Name" required autoComplete="off" {...form.text('name')} />
        <DescriptionField form={form} />
        <TextInput
          label="Email"
          description="For notifications about the group's certificates."
          type="email"
          {...form.text('email')}
        />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

const trimValues = (values: { readonly name: string; readonly description: string; readonly email: string }) => ({
  name: values.name.trim(),
  description: values.description,
  email: values.email.trim(),
});
