// Form for an end entity. A password is valid for one certificate request and is never shown again.
import { PasswordInput, TextInput } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { FixedName } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { END_ENTITIES_KEY, type EndEntity } from '../../queries/end-entities.ts';
import { FormSection } from '../../ui/form-section.tsx';

export interface EndEntityFormProps {
  readonly profile: RaProfileDto;
  /** Absent for a new end entity. */
  readonly entity?: EndEntity;
}

export function EndEntityForm({ profile, entity }: EndEntityFormProps) {
  const form = useEndEntityForm(profile, entity);
  // An end entity that can request a certificate must have a password. The authority discards it when the end entity is
  // edited, so it has to be entered again.
  const needsPassword = entity === undefined || entity.status === 'NEW';
  return (
    <ObjectForm form={form} missing={missingOf(form.values, needsPassword)}>
      <FormSection title="End entity">
        {entity ? (
          <FixedName label="Username" name={entity.username} />
        ) : (
          <TextInput
            label="Username"
            description="Required, with the password, to request a certificate."
            required
            autoComplete="off"
            spellCheck={false}
            {...form.text('username')}
          />
        )}
        <PasswordInput
          label={entity ? 'New password' : 'Password'}
          description={
            needsPassword
              ? 'Valid for one certificate. It is not shown again, so pass it on now.'
              : 'Enter a password to allow one more certificate request; otherwise, leave this empty.'
          }
          required={needsPassword}
          autoComplete="new-password"
          {...form.text('password')}
        />
      </FormSection>
      <NamesSection form={form} />
    </ObjectForm>
  );
}

function NamesSection({ form }: { readonly form: Pick<ObjectFormModel<Values>, 'text'> }) {
  return (
    <FormSection title="Certificate contents" description="The authority uses these names, not those in the request.">
      <TextInput
        label="Subject"
        description="Distinguished name, such as CN=Alice,O=Example."
        required
        autoComplete="off"
        spellCheck={false}
        {...form.text('subjectDN')}
      />
      <TextInput
        label="Subject alternative names"
        description="For example, dNSName=www.example.com, iPAddress=192.0.2.1."
        autoComplete="off"
        spellCheck={false}
        {...form.text('subjectAltName')}
      />
      <TextInput label="Email" type="email" autoComplete="off" {...form.text('email')} />
    </FormSection>
  );
}

interface Values {
  readonly username: string;
  readonly password: string;
  readonly subjectDN: string;
  readonly subjectAltName: string;
  readonly email: string;
}

function missingOf({ username, password, subjectDN }: Values, needsPassword: boolean): string | undefined {
  if (username.trim() === '') return 'Enter a username.';
  if (needsPassword && password === '') return 'Enter a password.';
  return subjectDN.trim() === '' ? 'Enter a subject.' : undefined;
}

function useEndEntityForm({ uuid, name: raProfileName }: RaProfileDto, entity: EndEntity | undefined) {
  const pages = paths.raProfiles.endEntities(uuid);
  return useObjectForm<Values>({
    what: 'end entity',
    paths: pages,
    object: entity,
    start: {
      username: entity?.username ?? '',
      password: '',
      subjectDN: entity?.subjectDN ?? '',
      subjectAltName: entity?.subjectAltName ?? '',
      email: entity?.email ?? '',
    },
    create: async ({ username, password, ...names }) => {
      const body = { username: username.trim(), password, ...namesOf(names) };
      await api.legacyClientOperations.addEndEntity({ params: { raProfileName }, body });
      return { uuid: body.username };
    },
    update: (username, { password, ...names }) =>
      api.legacyClientOperations.editEndEntity({
        params: { raProfileName, username },
        body: {
          ...namesOf(names),
          password,
          status: password === '' && entity ? entity.status : 'NEW',
          extensionData: entity?.extensionData ?? [],
        },
      }),
    refresh: [END_ENTITIES_KEY],
  });
}

const namesOf = ({ subjectDN, subjectAltName, email }: Pick<Values, 'subjectDN' | 'subjectAltName' | 'email'>) => ({
  subjectDN: subjectDN.trim(),
  ...(subjectAltName.trim() === '' ? {} : { subjectAltName: subjectAltName.trim() }),
  ...(email.trim() === '' ? {} : { email: email.trim() }),
});
