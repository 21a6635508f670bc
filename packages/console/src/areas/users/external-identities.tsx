// A user's identities at external providers, which can be used to sign in.
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ExternalIdentity } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { authenticationSettingsQuery } from '../../queries/settings.ts';
import { externalIdentitiesQuery } from '../../queries/sign-in.ts';
import { Panel } from '../../ui/panel.tsx';
import type { UserDetail } from './shapes.ts';

export function ExternalIdentities({ user: { uuid, name } }: { readonly user: UserDetail }) {
  const query = useQuery(externalIdentitiesQuery(uuid));
  return (
    <Panel
      title="Identity providers"
      actions={
        <ActionButton
          size="compact-sm"
          action={{
            label: 'Link',
            name: 'Link identity',
            // Provider names can be read only with permission to view the settings.
            needs: [
              ['users', 'update', uuid],
              ['settings', 'detail'],
            ],
            dialog: ({ opened, onClose }) => (opened ? <LinkDialog uuid={uuid} onClose={onClose} /> : null),
          }}
        />
      }
    >
      <QueryView
        of={query}
        what="the identities"
        empty={
          <Text c="dimmed">{`No linked identities. Once one is linked, ${name} can sign in with the account at the provider.`}</Text>
        }
      >
        {(identities) => (
          <Stack gap="sm">
            {identities.map((identity) => (
              <Identity key={identity.uuid} userUuid={uuid} identity={identity} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

interface IdentityProps {
  readonly userUuid: string;
  readonly identity: ExternalIdentity;
}

function Identity({ userUuid, identity: { uuid, subject, providerName, issuerUrl } }: IdentityProps) {
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text fw={600}>{providerName ?? issuerUrl}</Text>
        <Text size="xs" c="dimmed">
          {subject}
        </Text>
      </div>
      <ActionButton
        size="compact-xs"
        action={{
          label: 'Unlink',
          name: `Unlink ${subject}`,
          isGrave: true,
          needs: ['users', 'update', userUuid],
          run: () => api.externalIdentities.unlinkExternalIdentity({ params: { userUuid, uuid } }),
          done: 'Identity unlinked',
          refresh: externalIdentitiesQuery(userUuid).queryKey,
          ask: {
            title: `Unlink ${subject}?`,
            keep: 'Keep it',
            children: "The user can no longer sign in with this identity, and all of the user's sessions end.",
          },
        }}
      />
    </Group>
  );
}

interface LinkDialogProps {
  readonly uuid: string;
  readonly onClose: () => void;
}

function LinkDialog({ uuid, onClose }: LinkDialogProps) {
  const queries = useQueryClient();
  const providers = useQuery(authenticationSettingsQuery);
  const [provider, setProvider] = useState<string | null>(null);
  const [subject, setSubject] = useState('');
  const submit = async (): Promise<void> => {
    const body = { providerName: provider ?? '', subject: subject.trim() };
    await api.externalIdentities.linkExternalIdentity({ params: { userUuid: uuid }, body });
    await queries.invalidateQueries({ queryKey: externalIdentitiesQuery(uuid).queryKey });
  };
  return (
    <FormDialog
      title="Link identity"
      submitLabel="Link"
      onClose={onClose}
      isReady={provider !== null && subject.trim() !== ''}
      submit={submit}
    >
      <Select
        label="Provider"
        required
        placeholder={providers.isPending ? 'Loading…' : 'Choose'}
        nothingFoundMessage="No identity providers yet. Add one in the settings."
        data={Object.keys(providers.data?.oauth2Providers ?? {})}
        value={provider}
        onChange={setProvider}
      />
      <TextInput
        label="Subject"
        description="Value of the sub claim that the provider issues for this user. Often an ID rather than the email address."
        required
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
