// Pauses and resumes automatic renewal for the whole platform.
import { Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { renewalPauseQuery } from '../../queries/expiry.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';

export function RenewalPausePanel() {
  const query = useQuery(renewalPauseQuery);
  return (
    <Panel
      title="Automatic renewal"
      actions={
        query.data && (
          <ActionButton
            size="xs"
            action={{
              label: 'Change',
              name: 'Change automatic renewal',
              needs: ['settings', 'update'],
              dialog: ({ opened, onClose }) => opened && <PauseDialog paused={query.data.paused} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {({ paused }) =>
          paused ? (
            <State tone="warn">Paused: the platform does not renew any certificates</State>
          ) : (
            <State tone="good">As configured in RA profiles</State>
          )
        }
      </QueryView>
    </Panel>
  );
}

function PauseDialog({ paused, onClose }: { readonly paused: boolean; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [isPaused, setPaused] = useState(paused);
  const submit = async (): Promise<void> => {
    await api.renewalSettings.setRenewalSettings({ body: { paused: isPaused } });
    await queries.invalidateQueries({ queryKey: renewalPauseQuery.queryKey });
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
  };
  return (
    <FormDialog title="Automatic renewal" submitLabel="Save" onClose={onClose} submit={submit}>
      <Switch
        label="Pause automatic renewal everywhere"
        description="Scheduled renewals stay scheduled and run when the pause ends. ACME clients are not affected."
        checked={isPaused}
        onChange={(event) => setPaused(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
