// A user's sign-in methods as administrators see them: pending invitation, passkeys and access tokens.
import { Text } from '@mantine/core';
import type { IssuedInvitation, Passkey } from '@signetry/contract';
import { useDisclosure } from '@mantine/hooks';
import { IconMailForward } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Group, Stack } from '@mantine/core';
import { api } from '../../api/client.ts';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { OneTimeDialog } from '../../kit/one-time-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { invitationsQuery, passkeysOfUserQuery, tokensOfUserQuery } from '../../queries/sign-in.ts';
import { Code } from '../../ui/code.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { PasskeyPanel } from '../profile/passkey-panel.tsx';
import { TokenPanel } from '../profile/token-panel.tsx';
import { ExternalIdentities } from './external-identities.tsx';
import type { UserDetail } from './shapes.ts';

export function SignIn({ user }: { readonly user: UserDetail }) {
  const { uuid, name } = user;
  return (
    <>
      <Invitation user={user} />
      <PasskeyPanel
        query={useQuery(passkeysOfUserQuery(uuid))}
        actionsOf={(passkey) => [removePasskey(uuid, passkey)]}
        empty={`No passkeys. Invite ${name} to add one.`}
      />
      <ExternalIdentities user={user} />
    </>
  );
}

/** Access tokens for programs that act on behalf of the user. */
export function Tokens({ user: { uuid } }: { readonly user: UserDetail }) {
  return (
    <TokenPanel
      query={useQuery(tokensOfUserQuery(uuid))}
      revoke={(token) => api.accessTokens.revokeAccessTokenOfUser({ params: { userUuid: uuid, uuid: token } })}
      refresh={tokensOfUserQuery(uuid).queryKey}
      needs={['users', 'update', uuid]}
      empty="None."
    />
  );
}

const removePasskey = (userUuid: string, { uuid, name }: Passkey): Action => ({
  label: 'Remove',
  name: `Remove ${name}`,
  isGrave: true,
  needs: ['users', 'update', userUuid],
  run: () => api.passkeys.removePasskeyOfUser({ params: { userUuid, uuid } }),
  done: `${name} was removed.`,
  refresh: passkeysOfUserQuery(userUuid).queryKey,
  ask: {
    title: `Remove ${name}?`,
    keep: 'Keep it',
    children: 'The user can no longer sign in with this passkey, and sessions that were started with it end.',
  },
});

function Invitation({ user: { uuid, name, enabled } }: { readonly user: UserDetail }) {
  const [opened, dialog] = useDisclosure();
  const query = useQuery(invitationsQuery(uuid));
  const invite = { label: 'Invite', icon: IconMailForward, needs: ['users', 'update', uuid] as const };
  return (
    <Panel
      title="Invitation"
      actions={
        <ActionButton
          size="compact-sm"
          action={enabled ? { ...invite, open: dialog.open } : { ...invite, why: 'Enable the user first.' }}
        />
      }
    >
      <QueryView
        of={query}
        what="the invitation"
        empty={<Text c="dimmed">An invitation lets the user add a passkey and sign in, on any device.</Text>}
      >
        {([invitation]) =>
          invitation && (
            <Group justify="space-between" gap="xs">
              <Text title={formatDateTime(invitation.expiresAt)}>
                Pending, expires {formatRelative(invitation.expiresAt)}
                {invitation.createdBy !== undefined && `; created by ${invitation.createdBy}`}.
              </Text>
              <ActionButton
                size="compact-xs"
                action={{
                  label: 'Withdraw',
                  name: 'Withdraw invitation',
                  isGrave: true,
                  needs: ['users', 'update', uuid],
                  run: () => api.invitations.revokeInvitation({ params: { userUuid: uuid, uuid: invitation.uuid } }),
                  done: 'Invitation withdrawn',
                  refresh: invitationsQuery(uuid).queryKey,
                }}
              />
            </Group>
          )
        }
      </QueryView>
      <OneTimeDialog<IssuedInvitation>
        opened={opened}
        onClose={dialog.close}
        title={`Invite ${name}?`}
        form={({ onCancel, onMade }) => <InviteForm uuid={uuid} onCancel={onCancel} onMade={onMade} />}
        madeTitle={`Invitation for ${name}`}
        what="the link"
        shown={({ url, expiresAt }) => (
          <>
            <Code place="Link" text={url} wrap />
            <Text size="sm" c="dimmed">
              Send it to {name} only: the first user to open it signs in as {name}. It can be used once, until{' '}
              {formatDateTime(expiresAt)}.
            </Text>
          </>
        )}
      />
    </Panel>
  );
}

interface InviteFormProps {
  readonly uuid: string;
  readonly onCancel: () => void;
  readonly onMade: (invitation: IssuedInvitation) => void;
}

function InviteForm({ uuid, onCancel, onMade }: InviteFormProps) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => api.invitations.createInvitation({ params: { userUuid: uuid } }),
    onSuccess: async (invitation) => {
      onMade(invitation);
      await queries.invalidateQueries({ queryKey: invitationsQuery(uuid).queryKey });
    },
  });
  return (
    <Stack>
      <Text>
        Creates a link to send to the user. The link opens a page where the user adds a passkey and signs in. Any
        previous invitation becomes invalid.
      </Text>
      <Rejection error={create.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button data-autofocus loading={create.isPending} onClick={() => create.mutate()}>
          Create link
        </Button>
      </Group>
    </Stack>
  );
}
