// Actions on the whole audit log.
import { IconBraces, IconFileSpreadsheet, IconShieldCheck } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { auditFilters, type AuditSearch } from '../../queries/audit-search.ts';
import { saveFile } from '../certificates/downloads.ts';
import { PurgeDialog } from './purge-dialog.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

export function AuditActions({ search }: { readonly search: AuditSearch }) {
  const exportArchive = async (): Promise<void> => {
    const bytes = await api.auditLogs.exportAuditLogs({ body: auditFilters(search) });
    if (bytes.length > 0) saveFile('audit-logs.zip', new Uint8Array(bytes));
  };
  const exportLines = async (): Promise<void> => {
    const bytes = await api.auditLines.exportAuditLogLines({ body: auditFilters(search) });
    saveFile('audit-logs.jsonl', new Uint8Array(bytes));
  };
  return (
    <Actions
      actions={[
        {
          label: 'Verify',
          icon: IconShieldCheck,
          dialog: ({ opened, onClose }) => (opened ? <VerifyDialog onClose={onClose} /> : null),
        },
        {
          label: 'Export as CSV',
          icon: IconFileSpreadsheet,
          needs: ['auditLogs', 'export'],
          run: exportArchive,
          done: 'Matching records exported as CSV.',
          refresh: ['audit'],
        },
        {
          label: 'Export as JSON',
          icon: IconBraces,
          needs: ['auditLogs', 'export'],
          run: exportLines,
          done: 'Matching records exported as JSON Lines.',
          refresh: ['audit'],
        },
        {
          label: 'Purge',
          isGrave: true,
          needs: ['auditLogs', 'delete'],
          dialog: ({ opened, onClose }) => (opened ? <PurgeDialog onClose={onClose} /> : null),
        },
      ]}
    />
  );
}
