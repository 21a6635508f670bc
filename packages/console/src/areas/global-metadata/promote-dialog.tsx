// Connector metadata that is not global yet, and an action to promote it.
import { Modal, Text } from '@mantine/core';
import type { ConnectorMetadataResponseDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { connectorListQuery } from '../../queries/connectors.ts';
import { connectorMetadataQuery } from '../../queries/global-metadata.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { describeContentType } from '../custom-attributes/texts.ts';
import classes from './promote-dialog.module.css';

/** Rendered only while open. */
export function PromoteDialog({ onClose }: { readonly onClose: () => void }) {
  const candidates = useQuery(connectorMetadataQuery);
  const connectors = useQuery(connectorListQuery);
  const nameOf = (uuid: string): string | undefined => connectors.data?.find((each) => each.uuid === uuid)?.name;
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={650}>Promote from connector</Text>}>
      <Text c="dimmed" mb="sm">
        The definition then applies to all connectors. This can be undone; values are never lost.
      </Text>
      <QueryView
        of={candidates}
        what="connector metadata"
        empty={<Empty title="Nothing to promote">No connector has returned metadata that is not global yet.</Empty>}
      >
        {(found) => (
          <ul className={classes.list}>
            {found.map((candidate) => (
              <Candidate
                key={`${candidate.connectorUuid} ${candidate.uuid}`}
                candidate={candidate}
                connectorName={nameOf(candidate.connectorUuid)}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </Modal>
  );
}

interface CandidateProps {
  readonly candidate: ConnectorMetadataResponseDto;
  readonly connectorName: string | undefined;
}

function Candidate({ candidate, connectorName }: CandidateProps) {
  const { uuid, name, label, contentType, connectorUuid } = candidate;
  return (
    <li className={classes.candidate}>
      <div className={classes.words}>
        <Text fw={500}>{label}</Text>
        <Text size="sm" c="dimmed">
          {[name, describeContentType(contentType), connectorName && `from ${connectorName}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <ActionButton
        size="compact-sm"
        action={{
          label: 'Promote',
          name: `Promote ${label}`,
          needs: [
            ['attributes', 'create'],
            ['connectors', 'detail', connectorUuid],
          ],
          run: () => api.globalMetadata.promoteConnectorMetadata({ body: { uuid, connectorUuid } }),
          done: `${label} promoted to global metadata.`,
          refresh: ['globalMetadata'],
        }}
      />
    </li>
  );
}
