// One record with everything that it holds, beside the list.
import { Drawer, Group, Stack } from '@mantine/core';
import { AuditModule, Resource, type AuditLogDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ResultState } from './state.tsx';
import { wordsOfActor, wordsOfObjects, wordsOfOperation, wordsOfProof } from './words.ts';

export interface RecordDrawerProps {
  /** Closed when absent. */
  readonly record: AuditLogDto | undefined;
  readonly onClose: () => void;
}

export function RecordDrawer({ record, onClose }: RecordDrawerProps) {
  return (
    <Drawer.Root opened={record !== undefined} onClose={onClose} position="right" size="lg">
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {/* Not Drawer.Header: a second banner on the page. */}
          <Group justify="space-between" wrap="nowrap" py="md">
            <Drawer.Title fw={650}>{record ? wordsOfOperation(record) : ''}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </Group>
          {record && <RecordDetail record={record} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function RecordDetail({ record }: { readonly record: AuditLogDto }) {
  const { actor, source, resource, affiliatedResource, operationData, additionalData } = record;
  return (
    <Stack>
      {record.message && (
        <Callout tone={record.operationResult === 'failure' ? 'bad' : 'none'} title={record.message} />
      )}
      <Facts
        facts={[
          { name: 'Result', value: <ResultState of={record.operationResult} /> },
          { name: 'When', value: formatDateTime(record.timestamp) },
          { name: Resource.labels[resource.type], value: wordsOfObjects(resource) },
          affiliatedResource && {
            name: `With ${Resource.labels[affiliatedResource.type]}`,
            value: wordsOfObjects(affiliatedResource),
          },
          { name: 'Who', value: wordsOfActor(actor) },
          { name: 'Authenticated by', value: wordsOfProof(actor) },
          { name: 'Address', value: source?.ipAddress, code: true },
          { name: 'Request', value: source && `${source.method} ${source.path}`, code: true },
          { name: 'Program', value: source?.userAgent },
          { name: 'Part of the platform', value: AuditModule.labels[record.module] },
          { name: 'Record', value: String(record.id), code: true, copy: String(record.id) },
        ]}
      />
      {operationData !== undefined && operationData !== null && (
        <Code place="Data" text={JSON.stringify(operationData, null, 2)} />
      )}
      {additionalData && <Code place="Parameters" text={JSON.stringify(additionalData, null, 2)} />}
    </Stack>
  );
}
