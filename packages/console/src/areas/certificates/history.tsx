// What happened to a certificate, the latest first.
import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CertificateEventHistoryDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { paths } from '../../paths.ts';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { historyQuery } from './queries.ts';

export function History({ uuid }: { readonly uuid: string }) {
  const { data, error, refetch } = useQuery(historyQuery(uuid));
  const entries = (data ?? []).toSorted((a, b) => Date.parse(b.created) - Date.parse(a.created));
  return (
    <Panel title="History">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading what="the history" />
      ) : (
        <Timeline
          bulletSize={12}
          lineWidth={2}
          active={entries.length}
          styles={{ itemBullet: { backgroundColor: 'var(--surface)' } }}
        >
          {entries.map((entry) => (
            <Timeline.Item key={entry.uuid} title={<Text fw={600}>{entry.event}</Text>}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Message entry={entry} />
              </Text>
              <Text size="xs" c="dimmed" mt={2}>
                {formatDateTime(entry.created)} by {entry.createdBy}
              </Text>
              {entry.status === 'FAILED' && <State tone="bad">Failed</State>}
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Panel>
  );
}

/** What followed can be opened. */
function Message({ entry }: { readonly entry: CertificateEventHistoryDto }) {
  const successor = entry.additionalInformation?.['newCertificateUuid'];
  if (typeof successor !== 'string') return entry.message;
  return (
    <>
      Succeeded by{' '}
      <TextLink to={paths.certificate(successor)} inSentence>
        the new certificate
      </TextLink>
    </>
  );
}
