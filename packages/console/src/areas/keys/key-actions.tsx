// What can be done with a key as a whole. Questions name what depends on it.
import { List, Select, Stack, Text } from '@mantine/core';
import { KeyCompromiseReason, type KeyDetailDto } from '@signetry/contract';
import { IconAlertTriangle, IconFlame } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/usual-actions.tsx';
import { keyQuery } from '../../queries/keys.ts';
import { Callout } from '../../ui/callout.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { isDestroyed } from './state.tsx';
import { reasonWords } from './words.ts';

export function KeyActions({ of: key }: { readonly of: KeyDetailDto }) {
  const { uuid, name, items } = key;
  const params = { uuid };
  const left = items.filter((item) => !isDestroyed(item));
  return (
    <Actions
      actions={[
        editAction(paths.keys.edit(uuid), ['keys', 'update', uuid]),
        left.length > 0 &&
          switchAction({
            name,
            enabled: left.some(({ enabled }) => enabled),
            needs: ['keys', 'enable', uuid],
            enable: () => api.keys.enableKey({ params, body: [] }),
            disable: () => api.keys.disableKey({ params, body: [] }),
            consequence: (
              <Consequence of={key}>
                It cannot be used until it is enabled again. Whatever signs with it stops.
              </Consequence>
            ),
            refresh: ['keys'],
          }),
        left.some(({ state }) => state !== 'compromised') && compromiseAction(key),
        left.length > 0 && destroyAction(key),
        removeAction({
          label: 'Delete',
          name,
          needs: ['keys', 'delete', uuid],
          remove: () => api.keys.deleteKey({ params, body: [] }),
          consequence: (
            <Consequence of={key}>
              {left.length > 0
                ? 'Its token destroys it, and the platform forgets it with its history. Nothing is signed or decrypted with it again. To keep what is known of it, destroy it instead. This cannot be undone.'
                : 'The platform forgets it with its history. This cannot be undone.'}
            </Consequence>
          ),
          list: paths.keys.list,
          queryKey: keyQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

const destroyAction = (key: KeyDetailDto): Action => ({
  label: 'Destroy',
  icon: IconFlame,
  isGrave: true,
  needs: ['keys', 'delete', key.uuid],
  run: () => api.keys.destroyKey({ params: { uuid: key.uuid }, body: [] }),
  done: `${key.name} is destroyed.`,
  refresh: ['keys'],
  ask: {
    title: `Destroy ${key.name}?`,
    keep: 'Keep it',
    children: (
      <Consequence of={key}>
        Its token destroys it, and nobody can restore it: nothing is signed or decrypted with it again. What it was and
        what was done with it stays listed. This cannot be undone.
      </Consequence>
    ),
  },
});

const NAMED = 8;

/** What follows, and what depends on the key. */
function Consequence({
  of: { associations = [] },
  children,
}: {
  readonly of: KeyDetailDto;
  readonly children: string;
}) {
  const rest = associations.length - NAMED;
  return (
    <Stack gap="sm">
      <Text>{children}</Text>
      {associations.length > 0 && (
        <Callout tone="warn" title="It is in use">
          <List size="sm" listStyleType="none">
            {associations.slice(0, NAMED).map(({ uuid, name }) => (
              <List.Item key={uuid}>{name}</List.Item>
            ))}
            {rest > 0 && <List.Item>and {rest} more</List.Item>}
          </List>
        </Callout>
      )}
    </Stack>
  );
}

const compromiseAction = (key: KeyDetailDto): Action => ({
  label: 'Mark as compromised',
  icon: IconAlertTriangle,
  isGrave: true,
  needs: ['keys', 'update', key.uuid],
  dialog: (dialog) => <CompromiseDialog of={key} {...dialog} />,
});

interface CompromiseDialogProps {
  readonly of: KeyDetailDto;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function CompromiseDialog({ of: key, opened, onClose }: CompromiseDialogProps) {
  const [reason, setReason] = useState<KeyCompromiseReason>('disclosure');
  const queries = useQueryClient();
  const action = async (): Promise<void> => {
    await api.keys.compromiseKey({ params: { uuid: key.uuid }, body: { reason } });
    await queries.invalidateQueries({ queryKey: ['keys'] });
    notify.done(`${key.name} is marked as compromised.`);
  };
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Mark ${key.name} as compromised?`}
      verb="Mark as compromised"
      keep="Cancel"
      grave
      action={action}
    >
      <Stack>
        <Consequence of={key}>
          It is never used again; only destroying it is left. Certificates of the key are not revoked by this: revoke
          them for the reason Key compromise. This cannot be undone.
        </Consequence>
        <Select
          label="Reason"
          data={KeyCompromiseReason.options.map((value) => ({ value, label: reasonWords[value] }))}
          value={reason}
          allowDeselect={false}
          onChange={(value) => setReason(KeyCompromiseReason.options.find((each) => each === value) ?? reason)}
        />
      </Stack>
    </Confirm>
  );
}
