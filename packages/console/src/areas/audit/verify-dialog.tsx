// Checks the seals of the whole log, and shows the first thing that is wrong.
import { Modal, Stack, Text } from '@mantine/core';
import type { AuditVerificationReport } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { Reading } from '../../kit/reading.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';

export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const report = useQuery({
    queryKey: ['audit', 'verification'],
    queryFn: ({ signal }) => api.auditVerification.verifyAuditLog({ body: {} }, { signal }),
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={650}>Verification of the audit log</Text>}>
      <Reading of={report} what="the result of the verification">
        {(found) => <Report report={found} />}
      </Reading>
    </Modal>
  );
}

function Report({ report }: { readonly report: AuditVerificationReport }) {
  const { firstFault, gaps } = report;
  return (
    <Stack>
      {report.intact ? (
        <Callout tone="good" title="The audit log is intact">
          No record was altered, removed or added by hand, except what purges account for.
        </Callout>
      ) : (
        <Callout tone="bad" title="The audit log is not intact">
          {firstFault
            ? `${firstFault.problem}${firstFault.id === undefined ? '' : ` (record ${firstFault.id})`}, in the chain of node ${firstFault.node}.`
            : 'See the numbers below.'}
        </Callout>
      )}
      <Facts
        facts={[
          { name: 'Verified', value: formatDateTime(report.verifiedAt) },
          { name: 'Records', value: formatCount(report.rows) },
          { name: 'Sealed', value: formatCount(report.sealed) },
          { name: 'Removed by purges', value: formatCount(report.purged) },
          { name: 'Bad records', value: formatCount(report.badRecords) },
          { name: 'Broken links', value: formatCount(report.brokenLinks) },
          { name: 'Overdue seals', value: formatCount(report.unsealedOverdue) },
          { name: 'Missing', value: gaps.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ') },
        ]}
      />
    </Stack>
  );
}
