// Retention periods of events, histories, audit records and other records.
import { NumberInput } from '@mantine/core';
import type { RetentionSettings } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { retentionQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { changeAction } from './change-action.ts';

interface Field {
  readonly key: keyof RetentionSettings;
  readonly name: string;
  readonly about: string;
  /** Whether an empty field means that records are kept forever. */
  readonly mayBeForever?: true;
}

const fields: readonly Field[] = [
  { key: 'eventsKeptDays', name: 'Events', about: 'For programs that read the event feed.' },
  { key: 'evaluationsKeptDays', name: 'Automation history', about: 'Evaluations and their outcomes.' },
  { key: 'deliveriesKeptDays', name: 'Deliveries', about: 'Completed, whether delivered or not.' },
  { key: 'notificationsKeptDays', name: 'Notifications', about: 'In user inboxes, read or unread.' },
  { key: 'jobRunsKeptDays', name: 'Job runs', about: 'Completed. The last run of each job is kept.' },
  {
    key: 'requestsKeptDays',
    name: 'CMP, SCEP and EST requests',
    about: 'Completed, and expired one-time secrets. Certificates are kept.',
  },
  {
    key: 'discoveriesKeptDays',
    name: 'Discoveries',
    about: 'Completed discoveries that were repeated since. Certificates are kept. Leave empty to keep forever.',
    mayBeForever: true,
  },
  {
    key: 'certificateHistoryKeptDays',
    name: 'Certificate history',
    about: 'Who issued, renewed and revoked them. Leave empty to keep forever.',
    mayBeForever: true,
  },
  {
    key: 'keyEventsKeptDays',
    name: 'Key history',
    about: 'Who created, used and destroyed them. Leave empty to keep forever.',
    mayBeForever: true,
  },
  {
    key: 'auditRecordsKeptDays',
    name: 'Audit records',
    about: 'Export them first. Seals are kept. Leave empty to keep forever.',
    mayBeForever: true,
  },
];

const TEN_YEARS = 3_650;

export function RetentionPanel() {
  const query = useQuery(retentionQuery);
  return (
    <Panel
      title="Retention"
      actions={
        query.data && (
          <ActionButton
            size="xs"
            action={changeAction('the retention periods', ({ opened, onClose }) =>
              opened ? <RetentionDialog settings={query.data} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {(settings) => <Facts facts={fields.map(({ key, name }) => ({ name, value: formatDays(settings[key]) }))} />}
      </QueryView>
    </Panel>
  );
}

const formatDays = (days: number | null): string => {
  if (days === null) return 'Forever';
  return days === 1 ? 'One day' : `${formatCount(days)} days`;
};

interface DialogProps {
  readonly settings: RetentionSettings;
  readonly onClose: () => void;
}

function RetentionDialog({ settings, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [days, setDays] = useState<Readonly<Record<keyof RetentionSettings, number | string | null>>>(settings);
  const isReady = fields.every(
    ({ key, mayBeForever }) => Number.isInteger(days[key]) || (mayBeForever && isEmpty(days[key])),
  );
  const submit = async (): Promise<void> => {
    const body = Object.fromEntries(fields.map(({ key }) => [key, isEmpty(days[key]) ? null : Number(days[key])]));
    // The body has a member for every field, hence the cast.
    await api.retention.setRetentionSettings({ body: body as RetentionSettings });
    await queries.invalidateQueries({ queryKey: retentionQuery.queryKey });
  };
  return (
    <FormDialog title="Retention" submitLabel="Save" onClose={onClose} submit={submit} isReady={isReady}>
      {fields.map(({ key, name, about, mayBeForever }) => (
        <NumberInput
          key={key}
          label={`${name} (days)`}
          description={about}
          min={1}
          max={TEN_YEARS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days[key] ?? ''}
          placeholder={mayBeForever ? 'Forever' : ''}
          onChange={(value) => setDays({ ...days, [key]: value })}
        />
      ))}
    </FormDialog>
  );
}

const isEmpty = (days: number | string | null): boolean => days === null || days === '';
