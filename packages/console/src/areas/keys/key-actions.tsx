// Actions for a key as a whole. Confirmations list the objects that depend on it.
import { List, Select, Stack, Text } from '@mantine/core';
import { KeyCompromiseReason, type KeyDetailDto } from '@signetry/contract';
import { IconAlertTriangle, IconFlame } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { keyQuery } from '../../queries/keys.ts';
import { Callout } from '../../ui/callout.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { isDestroyed } from './state.tsx';
import { reasonTexts } from './texts.ts';

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
                It cannot be used until it is enabled again. Anything that signs with it stops working.
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
                ? 'The key is permanently destroyed in its token and can never sign or decrypt again. Its record and history are deleted from the platform. To keep them, destroy the key instead. This cannot be undone.'
                : 'The record and history of the key are deleted from the platform. This cannot be undone.'}
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
  done: `${key.name} was destroyed.`,
  refresh: ['keys'],
  ask: {
    title: `Destroy ${key.name}?`,
    keep: 'Keep it',
    children: (
      <Consequence of={key}>
        The key is permanently destroyed in its token and can never sign or decrypt again. Its record and history are
        kept. This cannot be undone.
      </Consequence>
    ),
  },
});

const NAMED = 8;

/** The consequences, and the objects that depend on the key. */
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
        <Callout tone="warn" title="Key in use">
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
    notify.done(`${key.name} was marked as compromised.`);
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
          The key can never be used again, only destroyed. Certificates for this key are not revoked automatically:
          revoke them with the reason Key compromise. This cannot be undone.
        </Consequence>
        <Select
          label="Reason"
          data={KeyCompromiseReason.options.map((value) => ({ value, label: reasonTexts[value] }))}
          value={reason}
          allowDeselect={false}
          onChange={(value) => setReason(KeyCompromiseReason.options.find((each) => each === value) ?? reason)}
        />
      </Stack>
    </Confirm>
  );
}
