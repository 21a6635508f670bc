// Form for a new or existing role.
import { TextInput } from '@mantine/core';
import type { RoleDetailDto, RoleTemplateDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { notify } from '../../ui/notices.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { permissionsFrom, type ChosenObjects } from './template-permissions.ts';
import { TemplateSection } from './template-section.tsx';

export interface RoleFormProps {
  /** Absent for a new role. */
  readonly role?: RoleDetailDto;
  /** Templates for creating a role. */
  readonly templates?: readonly RoleTemplateDto[];
}

interface Values {
  readonly name: string;
  readonly description: string;
  readonly email: string;
  readonly template: string;
  readonly objects: ChosenObjects;
}

export function RoleForm({ role, templates = [] }: RoleFormProps) {
  const form = useRoleForm({ role, templates });
  const { values, set } = form;
  const choose = (name: string): void => {
    // The name and description follow the template until the user edits them.
    const before = templates.find((each) => each.name === values.template);
    const after = templates.find((each) => each.name === name);
    if (values.name === (before?.name ?? '')) set('name', after?.name ?? '');
    if (values.description === (before?.description ?? '')) set('description', after?.description ?? '');
    set('template', name);
  };
  return (
    <ObjectForm form={form}>
      {!role && (
        <TemplateSection
          templates={templates}
          chosen={values.template}
          onChoose={choose}
          objects={values.objects}
          onObjects={(objects) => set('objects', objects)}
        />
      )}
      <FormSection title="Role">
        <TextInput label="Name" required autoComplete="off" {...form.text('name')} />
        <DescriptionField form={form} />
        <TextInput
          label="Email"
          description="Shared email address of the users with this role."
          type="email"
          {...form.text('email')}
        />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

function useRoleForm({
  role,
  templates,
}: { readonly role: RoleDetailDto | undefined } & Required<Pick<RoleFormProps, 'templates'>>) {
  return useObjectForm({
    what: 'role',
    paths: paths.roles,
    object: role,
    start: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      email: role?.email ?? '',
      template: '',
      objects: {},
    } satisfies Values as Values,
    useFurther: () => useCustomFields('roles', role && (role.customAttributes ?? [])),
    create: async (values, further) => {
      const made = await api.roles.createRole({ body: { ...requestOf(values), ...further.request() } });
      const template = templates.find(({ name }) => name === values.template);
      if (!template) return { uuid: made.uuid, to: paths.roles.permissions(made.uuid) };
      return {
        uuid: made.uuid,
        isQuiet: !(await savePermissions(made.uuid, permissionsFrom(template, values.objects))),
      };
    },
    update: (roleUuid, values, further) =>
      api.roles.updateRole({ params: { roleUuid }, body: { ...requestOf(values), ...further.request() } }),
    // User pages show role names, so users are refetched as well.
    refresh: [['roles'], ['users']],
  });
}

const requestOf = ({ name, description, email }: Values) => ({ name: name.trim(), description, email: email.trim() });

/**
 * Sets the permissions of the new role. The role already exists at this point, so a failure, for example due to missing
 * permissions, is shown on the role's page.
 */
async function savePermissions(roleUuid: string, body: ReturnType<typeof permissionsFrom>): Promise<boolean> {
  try {
    await api.roles.saveRolePermissions({ params: { roleUuid }, body });
    return true;
  } catch (error) {
    notify.failed(error);
    return false;
  }
}
