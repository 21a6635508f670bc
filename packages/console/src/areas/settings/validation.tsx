// Default validation settings for certificates whose RA profile does not define its own.
import { NumberInput, Switch } from '@mantine/core';
import type { CertificateValidationSettingsDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { platformSettingsQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { changeAction } from './change-action.ts';

export function ValidationPanel() {
  const query = useQuery(platformSettingsQuery);
  const validation = query.data?.certificates?.validation;
  return (
    <Panel
      title="Certificate validation"
      actions={
        validation && (
          <ActionButton
            size="xs"
            action={changeAction('certificate validation', ({ opened, onClose }) =>
              opened ? <ValidationDialog validation={validation} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {() => (
          <Facts
            facts={[
              { name: 'State', value: <EnabledState enabled={validation?.enabled ?? false} /> },
              { name: 'Validation interval', value: validation?.frequency && formatFrequency(validation.frequency) },
              {
                name: 'Expiring threshold',
                value: validation?.expiringThreshold && `${formatDays(validation.expiringThreshold)} before expiry`,
              },
            ]}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const formatDays = (count: number): string => (count === 1 ? 'one day' : `${count} days`);
const formatFrequency = (count: number): string => (count === 1 ? 'Every day' : `Every ${count} days`);

interface ValidationDialogProps {
  readonly validation: CertificateValidationSettingsDto;
  readonly onClose: () => void;
}

function ValidationDialog({ validation, onClose }: ValidationDialogProps) {
  const queries = useQueryClient();
  const [enabled, setEnabled] = useState(validation.enabled);
  const [frequency, setFrequency] = useState(validation.frequency ?? 1);
  const [threshold, setThreshold] = useState(validation.expiringThreshold ?? 30);
  const submit = async (): Promise<void> => {
    const body = { certificates: { validation: { enabled, frequency, expiringThreshold: threshold } } };
    await api.platformSettings.updatePlatformSettings({ body });
    await queries.invalidateQueries({ queryKey: platformSettingsQuery.queryKey });
  };
  return (
    <FormDialog title="Certificate validation" submitLabel="Save" onClose={onClose} submit={submit}>
      <Switch
        label="Validate certificates periodically"
        description="RA profiles can override these settings. Without validation, revoked and untrusted certificates are not detected."
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      {enabled && (
        <>
          <NumberInput
            label="Validation interval (days)"
            min={1}
            max={365}
            allowDecimal={false}
            value={frequency}
            onChange={(value) => setFrequency(Number(value))}
          />
          <NumberInput
            label="Expiring threshold (days before expiry)"
            min={1}
            max={3650}
            allowDecimal={false}
            value={threshold}
            onChange={(value) => setThreshold(Number(value))}
          />
        </>
      )}
    </FormDialog>
  );
}
