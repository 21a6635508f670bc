// Verifies all seals in the log and shows the first fault.
import { Modal, Stack, Text } from '@mantine/core';
import type { AuditVerificationReport } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';

export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const report = useQuery({
    queryKey: ['audit', 'verification'],
    queryFn: ({ signal }) => api.auditVerification.verifyAuditLog({ body: {} }, { signal }),
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={650}>Audit log verification</Text>}>
      <QueryView of={report} what="the verification result">
        {(found) => <Report report={found} />}
      </QueryView>
    </Modal>
  );
}

function Report({ report }: { readonly report: AuditVerificationReport }) {
  const { firstFault, gaps } = report;
  return (
    <Stack>
      {report.intact ? (
        <Callout tone="good" title="The audit log is intact">
          No records were altered, removed or inserted, except for recorded purges.
        </Callout>
      ) : (
        <Callout tone="bad" title="The audit log is not intact">
          {firstFault
            ? `${firstFault.problem}${firstFault.id === undefined ? '' : ` (record ${firstFault.id})`}, in the chain of node ${firstFault.node}.`
            : 'See the details below.'}
        </Callout>
      )}
      <Facts
        facts={[
          { name: 'Verified', value: formatDateTime(report.verifiedAt) },
          { name: 'Records', value: formatCount(report.rows) },
          { name: 'Sealed', value: formatCount(report.sealed) },
          { name: 'Removed by purges', value: formatCount(report.purged) },
          { name: 'Invalid records', value: formatCount(report.badRecords) },
          { name: 'Broken links', value: formatCount(report.brokenLinks) },
          { name: 'Overdue seals', value: formatCount(report.unsealedOverdue) },
          {
            name: 'Missing records',
            value: gaps.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', '),
          },
        ]}
      />
    </Stack>
  );
}
