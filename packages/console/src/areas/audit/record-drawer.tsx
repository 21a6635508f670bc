// Shows all details of one record next to the list.
import { Drawer, Group, Stack } from '@mantine/core';
import { AuditModule, Resource, type AuditLogDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ResultState } from './state.tsx';
import { describeActor, describeObjects, describeOperation, describeAuthMethod } from './texts.ts';

export interface RecordDrawerProps {
  /** If absent, the drawer is closed. */
  readonly record: AuditLogDto | undefined;
  readonly onClose: () => void;
}

export function RecordDrawer({ record, onClose }: RecordDrawerProps) {
  return (
    <Drawer.Root opened={record !== undefined} onClose={onClose} position="right" size="lg">
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {/* Drawer.Header would add a second banner landmark to the page. */}
          <Group justify="space-between" wrap="nowrap" py="md">
            <Drawer.Title fw={650}>{record ? describeOperation(record) : ''}</Drawer.Title>
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
          { name: 'Time', value: formatDateTime(record.timestamp) },
          { name: Resource.labels[resource.type], value: describeObjects(resource) },
          affiliatedResource && {
            name: `Related ${Resource.labels[affiliatedResource.type]}`,
            value: describeObjects(affiliatedResource),
          },
          { name: 'Actor', value: describeActor(actor) },
          { name: 'Authenticated by', value: describeAuthMethod(actor) },
          { name: 'IP address', value: source?.ipAddress, code: true },
          { name: 'Request', value: source && `${source.method} ${source.path}`, code: true },
          { name: 'User agent', value: source?.userAgent },
          { name: 'Module', value: AuditModule.labels[record.module] },
          { name: 'Record ID', value: String(record.id), code: true, copy: String(record.id) },
        ]}
      />
      {operationData !== undefined && operationData !== null && (
        <Code place="Data" text={JSON.stringify(operationData, null, 2)} />
      )}
      {additionalData && <Code place="Parameters" text={JSON.stringify(additionalData, null, 2)} />}
    </Stack>
  );
}
