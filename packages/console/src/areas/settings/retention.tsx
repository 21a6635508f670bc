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

interface Field {
  readonly key: keyof RetentionSettings;
  readonly name: string;
  readonly about: string;
  /** Without a number of days it is kept for good. */
  readonly forGood?: true;
}

const fields: readonly Field[] = [
  { key: 'eventsKeptDays', name: 'Events', about: 'For programs that follow what happens.' },
  { key: 'evaluationsKeptDays', name: 'History of automations', about: 'What they were asked, and what came of it.' },
  { key: 'deliveriesKeptDays', name: 'Deliveries', about: 'Those that ended, delivered or not.' },
  { key: 'notificationsKeptDays', name: 'Notifications', about: 'In the inboxes of users, read or not.' },
  { key: 'jobRunsKeptDays', name: 'Runs of jobs', about: 'Those that ended; the last run of each job stays.' },
  {
    key: 'requestsKeptDays',
    name: 'Requests of devices',
    about: 'Those that ended, and one-time secrets that expired. Certificates stay.',
  },
  {
    key: 'discoveriesKeptDays',
    name: 'Discoveries',
    about: 'Those that ended and were repeated since. Certificates stay. Empty: kept for good.',
    forGood: true,
  },
  {
    key: 'certificateHistoryKeptDays',
    name: 'History of certificates',
    about: 'Who issued, renewed and revoked them. Empty: kept for good.',
    forGood: true,
  },
  {
    key: 'keyEventsKeptDays',
    name: 'History of keys',
    about: 'Who made, used and destroyed them. Empty: kept for good.',
    forGood: true,
  },
  {
    key: 'auditRecordsKeptDays',
    name: 'Audit records',
    about: 'Export them first: what is removed is gone. Seals stay. Empty: kept for good.',
    forGood: true,
  },
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

const daysInWords = (days: number | null): string => {
  if (days === null) return 'Kept for good';
  return days === 1 ? 'One day' : `${formatCount(days)} days`;
};

interface DialogProps {
  readonly settings: RetentionSettings;
  readonly onClose: () => void;
}

function RetentionDialog({ settings, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [days, setDays] = useState<Readonly<Record<keyof RetentionSettings, number | string | null>>>(settings);
  const isReady = fields.every(({ key, forGood }) => Number.isInteger(days[key]) || (forGood && isEmpty(days[key])));
  const submit = async (): Promise<void> => {
    const body = Object.fromEntries(fields.map(({ key }) => [key, isEmpty(days[key]) ? null : Number(days[key])]));
    // one member for each field
    await api.retention.setRetentionSettings({ body: body as RetentionSettings });
    await queries.invalidateQueries({ queryKey: retentionQuery.queryKey });
  };
  return (
    <FormDialog title="How long it is kept" submitLabel="Save" onClose={onClose} submit={submit} isReady={isReady}>
      {fields.map(({ key, name, about, forGood }) => (
        <NumberInput
          key={key}
          label={`${name}, in days`}
          description={about}
          min={1}
          max={TEN_YEARS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days[key] ?? ''}
          placeholder={forGood ? 'Kept for good' : ''}
          onChange={(value) => setDays({ ...days, [key]: value })}
        />
      ))}
    </FormDialog>
  );
}

const isEmpty = (days: number | string | null): boolean => days === null || days === '';
