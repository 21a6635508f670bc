// Fields of a new or existing user.
import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { useGroups } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { notify } from '../../ui/notices.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, type CustomFields } from '../custom-attributes/use-custom-fields.ts';
import { CertificateField } from './certificate-field.tsx';
import { noCertificate, requestedCertificate, type CertificateChoice } from './certificate-choice.ts';
import type { UserDetail } from './shapes.ts';

interface Values {
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly groupUuids: readonly string[];
  readonly roleUuids: readonly string[];
  readonly certificate: CertificateChoice;
}

const valuesOf = (user: UserDetail | undefined): Values => ({
  name: user?.name ?? '',
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email ?? '',
  description: user?.description ?? '',
  enabled: user?.enabled ?? true,
  groupUuids: user?.groups.map(({ uuid }) => uuid) ?? [],
  roleUuids: user?.roles.map(({ uuid }) => uuid) ?? [],
  certificate: user?.certificate ? { kind: 'inventory', uuid: user.certificate.uuid } : noCertificate,
});

type Form = ObjectFormModel<Values, CustomFields>;

export function UserForm({ user }: { readonly user?: UserDetail }) {
  const form = useUserForm(user);
  const isNew = !user;
  const { certificate } = form.values;
  return (
    <ObjectForm form={form} missing={missingOf(certificate)}>
      <FormSection title="User">
        <TextInput
          label="Username"
          description={isNew ? 'Used for sign-in and shown in the audit log.' : 'The username cannot be changed.'}
          required={isNew}
          readOnly={!isNew}
          variant={isNew ? 'default' : 'unstyled'}
          autoComplete="off"
          spellCheck={false}
          {...form.text('name')}
        />
        <TextInput label="First name" autoComplete="off" {...form.text('firstName')} />
        <TextInput label="Last name" autoComplete="off" {...form.text('lastName')} />
        <TextInput label="Email" type="email" autoComplete="off" {...form.text('email')} />
        <DescriptionField form={form} />
        {isNew && <Checkbox label="Enabled" description="Allow the user to sign in." {...form.flag('enabled')} />}
      </FormSection>
      <AccessSection form={form} isNew={isNew} />
      <FormSection
        title="Certificate"
        description="The user can sign in with this client certificate alone. One certificate per user."
      >
        <CertificateField
          choice={certificate}
          present={user?.certificate}
          onChange={(choice) => form.set('certificate', choice)}
        />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

function missingOf(certificate: CertificateChoice): string | undefined {
  if (certificate.kind === 'inventory' && certificate.uuid === undefined) return 'Choose a certificate.';
  return certificate.kind === 'file' && certificate.data === '' ? 'Enter a certificate.' : undefined;
}

/** An existing user's roles are changed on the user's page. */
function AccessSection({ form, isNew }: { readonly form: Form; readonly isNew: boolean }) {
  const mayList = useMayList();
  const groups = useQuery(useGroups());
  const roles = useQuery(useRoles());
  const shownRoles = isNew && mayList('roles');
  if (!shownRoles && !mayList('groups')) return null;
  const choicesOf = (rows: readonly { readonly uuid: string; readonly name: string }[] = []) =>
    rows.map(({ uuid: value, name: label }) => ({ value, label }));
  return (
    <FormSection title={shownRoles ? 'Roles and groups' : 'Groups'}>
      {shownRoles && (
        <MultiSelect
          label="Roles"
          description="Roles grant permissions. Without a role, the user can only manage their own profile."
          searchable
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          data={choicesOf(roles.data)}
          value={[...form.values.roleUuids]}
          onChange={(uuids) => form.set('roleUuids', uuids)}
        />
      )}
      {mayList('groups') && (
        <MultiSelect
          label="Groups"
          description="Roles can grant access to the objects of the user's groups."
          searchable
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          error={form.problemOf('groupUuids')}
          data={choicesOf(groups.data)}
          value={groups.data ? [...form.values.groupUuids] : []}
          disabled={!groups.data}
          onChange={(uuids) => form.set('groupUuids', uuids)}
        />
      )}
    </FormSection>
  );
}

const useUserForm = (user: UserDetail | undefined): Form =>
  useObjectForm({
    what: 'user',
    paths: paths.users,
    object: user,
    start: valuesOf(user),
    useFurther: () => useCustomFields('users', user && (user.customAttributes ?? [])),
    create: async (values, further) => {
      const { uuid } = await api.users.createUser({
        body: {
          username: values.name.trim(),
          enabled: values.enabled,
          ...personOf(values),
          groupUuids: [...values.groupUuids],
          ...further.request(),
        },
      });
      return { uuid, isQuiet: !(await assignRoles(uuid, values.roleUuids)) };
    },
    update: (userUuid, values, further) =>
      api.users.updateUser({
        params: { userUuid },
        body: { ...personOf(values), ...groupsOf(values, user), ...further.request() },
      }),
    // The edited user may be the signed-in user.
    refresh: [['users'], ['roles'], ['profile']],
  });

const personOf = ({ firstName, lastName, email, description, certificate }: Values) => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
  description,
  ...requestedCertificate(certificate),
});

/** Returns the groups only if they were changed, because sending them requires a permission on each group. */
function groupsOf({ groupUuids }: Values, user: UserDetail | undefined): { readonly groupUuids?: string[] } {
  const before = user?.groups.map(({ uuid }) => uuid) ?? [];
  return before.join() === groupUuids.join() ? {} : { groupUuids: [...groupUuids] };
}

/**
 * Assigns the roles. The user already exists at this point, so a rejection (for example, because a role exceeds the
 * caller's permissions) is shown on the user's page.
 */
async function assignRoles(userUuid: string, roleUuids: readonly string[]): Promise<boolean> {
  if (roleUuids.length === 0) return true;
  try {
    await api.users.updateUserRoles({ params: { userUuid }, body: [...roleUuids] });
    return true;
  } catch (error) {
    notify.failed(error);
    return false;
  }
}
