// Settings for recording reads in the audit log. Changes are always recorded.
import { MultiSelect, Switch } from '@mantine/core';
import type { AuditReadsSettings } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { describeResources } from '../../format/resources.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { auditReadsQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { changeAction } from './change-action.ts';
import { resourceChoices } from './texts.ts';

export function ReadsPanel() {
  const query = useQuery(auditReadsQuery);
  const settings = query.data;
  return (
    <Panel
      title="Reads in the audit log"
      actions={
        settings && (
          <ActionButton
            size="xs"
            action={changeAction('which reads are recorded', ({ opened, onClose }) =>
              opened ? <ReadsDialog settings={settings} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {({ allResources, resources }) => (
          <Facts facts={[{ name: 'Recorded', value: allResources ? 'All' : describeResources(resources) || 'None' }]} />
        )}
      </QueryView>
    </Panel>
  );
}

interface ReadsDialogProps {
  readonly settings: AuditReadsSettings;
  readonly onClose: () => void;
}

function ReadsDialog({ settings, onClose }: ReadsDialogProps) {
  const queries = useQueryClient();
  const [isAll, setAll] = useState(settings.allResources);
  const [resources, setResources] = useState<readonly string[]>(settings.resources);
  const submit = async (): Promise<void> => {
    const chosen = resourceChoices.map(({ value }) => value).filter((value) => resources.includes(value));
    await api.auditReadsSettings.updateAuditReadsSettings({ body: { allResources: isAll, resources: chosen } });
    await queries.invalidateQueries({ queryKey: auditReadsQuery.queryKey });
  };
  return (
    <FormDialog title="Reads in the audit log" submitLabel="Save" onClose={onClose} submit={submit}>
      <Switch
        label="Record every read"
        description="Records every time a user or program reads a list or an object. The log grows many times faster."
        checked={isAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {!isAll && (
        <MultiSelect
          label="Record reads of"
          placeholder={resources.length === 0 ? 'None' : ''}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          data={[...resourceChoices]}
          value={[...resources]}
          onChange={setResources}
        />
      )}
    </FormDialog>
  );
}
