// Certificate history, newest event first.
import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CertificateEventHistoryDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { validationTexts } from './texts.ts';
import { historyQuery } from '../../queries/certificates.ts';

export function History({ uuid }: { readonly uuid: string }) {
  return (
    <Panel title="History">
      <QueryView of={useQuery(historyQuery(uuid))} what="the history">
        {(history) => <Entries entries={history.toSorted((a, b) => Date.parse(b.created) - Date.parse(a.created))} />}
      </QueryView>
    </Panel>
  );
}

function Entries({ entries }: { readonly entries: readonly CertificateEventHistoryDto[] }) {
  return (
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
  );
}

/** Formats `Not checked → Valid` from the codes that the platform records. */
const describeChange = (message: string): string =>
  message
    .split(' -> ')
    .map((code) => (isValidationCode(code) ? validationTexts[code] : code))
    .join(' → ');

const isValidationCode = (code: string): code is keyof typeof validationTexts => Object.hasOwn(validationTexts, code);

/** Links to the successor, if there is one. */
function Message({ entry }: { readonly entry: CertificateEventHistoryDto }) {
  const successor = entry.additionalInformation?.['newCertificateUuid']?.['value'];
  if (entry.event === 'Update Validation Status') return describeChange(entry.message);
  if (typeof successor !== 'string') return entry.message;
  return (
    <>
      Replaced by{' '}
      <TextLink to={paths.certificates.one(successor)} inSentence>
        the new certificate
      </TextLink>
    </>
  );
}
