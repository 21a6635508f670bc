// The history of one key item, newest event first.
import { Text, Timeline } from '@mantine/core';
import type { KeyEventHistoryDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { FormDialogFrame } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { keyHistoryQuery, type KeyItemPath } from '../../queries/keys.ts';
import { State } from '../../ui/state.tsx';

export interface ItemHistoryProps {
  readonly place: KeyItemPath;
  /** For use within a sentence, e.g. `the private key`. */
  readonly what: string;
  readonly onClose: () => void;
}

/** Rendered only while open. */
export function ItemHistory({ place, what, onClose }: ItemHistoryProps) {
  return (
    <FormDialogFrame title={`History of ${what}`} onClose={onClose}>
      <QueryView
        of={useQuery(keyHistoryQuery(place))}
        what="the history"
        empty={<Text c="dimmed">No events recorded.</Text>}
      >
        {(events) => <Events events={events} />}
      </QueryView>
    </FormDialogFrame>
  );
}

function Events({ events }: { readonly events: readonly KeyEventHistoryDto[] }) {
  return (
    <Timeline
      bulletSize={12}
      lineWidth={2}
      active={events.length}
      styles={{ itemBullet: { backgroundColor: 'var(--surface)' } }}
    >
      {events.map(({ uuid, event, message, created, createdBy, status }) => (
        <Timeline.Item key={uuid} title={<Text fw={600}>{wordsOfEvent[event]}</Text>}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
          <Text size="xs" c="dimmed" mt={2}>
            {formatDateTime(created)} by {createdBy}
          </Text>
          {status === 'FAILED' && <State tone="bad">Failed</State>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

const wordsOfEvent: Readonly<Record<KeyEventHistoryDto['event'], string>> = {
  'Create Key': 'Created',
  'Compromised Key': 'Marked as compromised',
  'Destroy Key': 'Destroyed',
  'Update Key Usages': 'Usages changed',
  'Sign Data': 'Signed',
  'Verify Data': 'Verified',
  'Encrypt Data': 'Encrypted',
  'Decrypt Data': 'Decrypted',
  'Enable Key': 'Enabled',
  'Disable Key': 'Disabled',
};
