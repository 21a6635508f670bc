// Removes old records. What a purge removed stays accounted for by its marker in the chain.
import { NumberInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DAY_MS, formatDate } from '../../format/dates.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';

/** Laws ask for years, not for days. */
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
    notify.done('Old records were removed.');
  };
  return (
    <FormDialog
      title="Remove old records"
      submitLabel="Remove"
      isGrave
      onClose={onClose}
      isReady={days >= 1}
      submit={submit}
    >
      <NumberInput
        label="Older than this many days"
        min={1}
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value))}
      />
      <Text size="sm">
        {`Records from before ${formatDate(before)} are removed. This cannot be undone: export them first if they have to be kept. The purge itself is recorded, with the number and range of what it removed.`}
      </Text>
    </FormDialog>
  );
}
