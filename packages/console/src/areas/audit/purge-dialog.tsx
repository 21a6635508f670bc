// Purges old records. A marker in the chain accounts for the purged records.
import { NumberInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DAY_MS, formatDate } from '../../format/dates.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';

/** Legal retention periods are measured in years, not days. */
const USUAL_DAYS = 365;

export function PurgeDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [days, setDays] = useState(USUAL_DAYS);
  const before = new Date(Date.now() - days * DAY_MS);
  const submit = async (): Promise<void> => {
    await api.auditLogs.purgeAuditLogs({
      body: [
        {
          fieldSource: 'property',
          fieldIdentifier: 'AUDIT_LOG_TIMESTAMP',
          condition: 'LESSER',
          value: before.toISOString(),
        },
      ],
    });
    await queries.invalidateQueries({ queryKey: ['audit'] });
    notify.done('Old records purged.');
  };
  return (
    <FormDialog
      title="Purge old records"
      submitLabel="Purge"
      isGrave
      onClose={onClose}
      isReady={days >= 1}
      submit={submit}
    >
      <NumberInput
        label="Older than (days)"
        min={1}
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value))}
      />
      <Text size="sm">
        {`Records created before ${formatDate(before)} are deleted. This cannot be undone; export them first if you must retain them. The purge itself is recorded, with the number and range of the deleted records.`}
      </Text>
    </FormDialog>
  );
}
