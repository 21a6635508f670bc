// Setting: whether the first administrator can be created from the platform host without signing in.
import { Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { authenticationSettingsQuery } from '../../queries/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { changeAction } from './change-action.ts';

export function LocalAdministratorPanel() {
  const query = useQuery(authenticationSettingsQuery);
  const settings = query.data;
  return (
    <Panel
      title="First administrator"
      actions={
        settings && (
          <ActionButton
            size="xs"
            action={changeAction('how the first administrator is created', ({ opened, onClose }) =>
              opened ? <LocalAdministratorDialog isDisabled={settings.disableLocalhostUser} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {({ disableLocalhostUser }) => (
          <>
            <EnabledState enabled={!disableLocalhostUser} />
            <Text size="sm" c="dimmed" mt="xs">
              {disableLocalhostUser
                ? 'Creating an administrator always requires signing in, even if there is no administrator.'
                : 'While there is no administrator, a program on the platform host can create one without signing in.'}
            </Text>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

interface DialogProps {
  readonly isDisabled: boolean;
  readonly onClose: () => void;
}

function LocalAdministratorDialog({ isDisabled, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [isAllowed, setAllowed] = useState(!isDisabled);
  const submit = async (): Promise<void> => {
    await api.authenticationSettings.updateAuthenticationSettings({ body: { disableLocalhostUser: !isAllowed } });
    await queries.invalidateQueries({ queryKey: authenticationSettingsQuery.queryKey });
  };
  return (
    <FormDialog title="First administrator" submitLabel="Save" onClose={onClose} submit={submit}>
      <Switch
        label="Allow creation from the platform host"
        description="Applies only to calls from the platform host itself, not through a proxy, and only while there is no enabled administrator."
        checked={isAllowed}
        onChange={(event) => setAllowed(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
