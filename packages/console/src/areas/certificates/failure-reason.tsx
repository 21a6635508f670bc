// Explains from the history why a certificate has not been issued (yet).
import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { historyQuery, isUnderWay } from '../../queries/certificates.ts';
import { PendingApprovalText } from '../approvals/waiting.tsx';
import type { CertificateDetail } from './shapes.ts';

export function FailureReason({ certificate }: { readonly certificate: CertificateDetail }) {
  const { data } = useQuery(historyQuery(certificate.uuid));
  const reason = data?.findLast(({ status }) => status === 'FAILED')?.message;
  if (certificate.state === 'failed' || certificate.state === 'rejected') {
    return (
      <Stack gap={4} role="alert">
        <Text fw={650} size="lg">
          Not issued
        </Text>
        <Text c="dimmed">{reason ?? 'See the history for details.'}</Text>
      </Stack>
    );
  }
  if (certificate.state === 'pending_approval') {
    return (
      <Stack gap={4} role="status">
        <Text fw={650} size="lg">
          Waiting for approval
        </Text>
        <Text c="dimmed">
          <PendingApprovalText certificateUuid={certificate.uuid} />
        </Text>
      </Stack>
    );
  }
  return (
    <Group gap="md" role="status">
      {isUnderWay(certificate.state) && <Loader size="sm" type="dots" />}
      <Stack gap={2}>
        <Text fw={650} size="lg">
          Being issued
        </Text>
        <Text c="dimmed">{reason ?? 'This page updates automatically.'}</Text>
      </Stack>
    </Group>
  );
}
