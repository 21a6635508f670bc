// How long the platform keeps what it notes down about what happened.
import { NumberInput } from '@mantine/core';
import type { RetentionSettings } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Reading } from '../../kit/reading.tsx';
import { retentionQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { changeAction } from './change-action.ts';

const fields: readonly { readonly key: keyof RetentionSettings; readonly name: string; readonly about: string }[] = [
  { key: 'eventsKeptDays', name: 'Events', about: 'For programs that follow what happens.' },
  { key: 'evaluationsKeptDays', name: 'History of automations', about: 'What they were asked, and what came of it.' },
  { key: 'deliveriesKeptDays', name: 'Deliveries', about: 'Those that ended, delivered or not.' },
  { key: 'notificationsKeptDays', name: 'Notifications', about: 'In the inboxes of users, read or not.' },
];

const TEN_YEARS = 3_650;

export function RetentionPanel() {
  const query = useQuery(retentionQuery);
  return (
    <Panel
      title="How long it is kept"
      actions={
        query.data && (
          <ActionButton
            size="xs"
            action={changeAction('how long it is kept', ({ opened, onClose }) =>
              opened ? <RetentionDialog settings={query.data} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <Reading of={query} what="the settings">
        {(settings) => <Facts facts={fields.map(({ key, name }) => ({ name, value: daysInWords(settings[key]) }))} />}
      </Reading>
    </Panel>
  );
}

const daysInWords = (days: number): string => (days === 1 ? 'One day' : `${formatCount(days)} days`);

interface DialogProps {
  readonly settings: RetentionSettings;
  readonly onClose: () => void;
}

function RetentionDialog({ settings, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [days, setDays] = useState<Readonly<Record<keyof RetentionSettings, number | string>>>(settings);
  const isReady = fields.every(({ key }) => Number.isInteger(days[key]));
  const submit = async (): Promise<void> => {
    const of = (key: keyof RetentionSettings): number => Number(days[key]);
    await api.retention.setRetentionSettings({
      body: {
        eventsKeptDays: of('eventsKeptDays'),
        evaluationsKeptDays: of('evaluationsKeptDays'),
        deliveriesKeptDays: of('deliveriesKeptDays'),
        notificationsKeptDays: of('notificationsKeptDays'),
      },
    });
    await queries.invalidateQueries({ queryKey: retentionQuery.queryKey });
  };
  return (
    <FormDialog title="How long it is kept" submitLabel="Save" onClose={onClose} submit={submit} isReady={isReady}>
      {fields.map(({ key, name, about }) => (
        <NumberInput
          key={key}
          label={`${name}, in days`}
          description={about}
          min={1}
          max={TEN_YEARS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days[key]}
          onChange={(value) => setDays({ ...days, [key]: value })}
        />
      ))}
    </FormDialog>
  );
}
