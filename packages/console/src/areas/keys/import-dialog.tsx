// Imports a PKCS #12 file with its private key into a token.
import { PasswordInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { TokenProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths } from '../../kit/paths.ts';
import { tokenProfileListQuery } from '../../queries/tokens.ts';
import { FileField, type FileFieldProps } from '../../ui/attributes/file-field.tsx';
import { notify } from '../../ui/notices.tsx';

interface ImportValues {
  readonly profileUuid: string | null;
  readonly file: FileFieldProps['state'];
  readonly name: string;
  readonly passphrase: string;
  readonly exportable: boolean;
}

const initial: ImportValues = {
  profileUuid: null,
  file: { control: 'file', file: undefined },
  name: '',
  passphrase: '',
  exportable: false,
};

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: profiles = [] } = useQuery(tokenProfileListQuery);
  const [values, setValues] = useState(initial);
  const [navigate, queries] = [useNavigate(), useQueryClient()];
  const name = values.name.trim();
  const profile = profiles.find(({ uuid }) => uuid === values.profileUuid);
  return (
    <FormDialog
      title="Import key from file"
      submitLabel="Import"
      onClose={onClose}
      isReady={profile !== undefined && values.file.file !== undefined && name !== ''}
      submit={async () => {
        const { passphrase, exportable, file } = values;
        if (!profile || !file.file) return;
        const { keyUuid, problems } = await api.keyFiles.importKeyFile({
          params: { tokenInstanceUuid: profile.tokenInstanceUuid, tokenProfileUuid: profile.uuid },
          body: { name, content: file.file.content, passphrase, exportable },
        });
        await queries.invalidateQueries({ queryKey: ['keys'] });
        await queries.invalidateQueries({ queryKey: ['certificates'] });
        notify.done([`${name} was imported.`, ...problems].join(' '));
        await navigate({ to: paths.keys.one(keyUuid) });
      }}
    >
      <Stack>
        <Text>
          The certificates of the file are added to the inventory, and its private key is created in the token. The
          token must allow key import.
        </Text>
        <ProfileField
          profiles={profiles}
          value={values.profileUuid}
          onChange={(profileUuid) => setValues({ ...values, profileUuid })}
        />
        <FileFields values={values} onChange={setValues} />
      </Stack>
    </FormDialog>
  );
}

interface ProfileFieldProps {
  readonly profiles: readonly TokenProfileDto[];
  readonly value: string | null;
  readonly onChange: (uuid: string | null) => void;
}

const ProfileField = ({ profiles, value, onChange }: ProfileFieldProps) => (
  <Select
    label="Token profile"
    description="Determines the token that stores the key and the allowed usages."
    required
    searchable
    placeholder="Choose"
    nothingFoundMessage="No matching enabled token profile"
    data={profiles
      .filter(({ enabled }) => enabled)
      .map(({ uuid, name, tokenInstanceName }) => ({ value: uuid, label: `${name} (${tokenInstanceName})` }))}
    value={value}
    onChange={onChange}
  />
);

const withoutSuffix = (fileName: string): string => fileName.replace(/\.[^.]*$/, '');

interface FileFieldsProps {
  readonly values: ImportValues;
  readonly onChange: (values: ImportValues) => void;
}

function FileFields({ values, onChange }: FileFieldsProps) {
  const { file, name, passphrase, exportable } = values;
  const fileFacts = {
    id: useId(),
    label: 'File',
    description: 'PKCS #12 file with one private key and its certificate.',
    error: undefined,
    required: true,
    onBlur: () => undefined,
  };
  return (
    <>
      <FileField
        facts={fileFacts}
        state={file}
        onChange={(next) => onChange({ ...values, file: next, name: name || withoutSuffix(next.file?.fileName ?? '') })}
      />
      <PasswordInput
        label="Passphrase of the file"
        autoComplete="off"
        value={passphrase}
        onChange={(event) => onChange({ ...values, passphrase: event.currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the passphrase', tabIndex: 0 }}
      />
      <TextInput
        label="Name"
        required
        value={name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
      <Switch
        label="Allow export of the private key"
        description="Permitted users can export the key, protected by a passphrase. Cannot be changed later."
        checked={exportable}
        onChange={(event) => onChange({ ...values, exportable: event.currentTarget.checked })}
      />
    </>
  );
}
