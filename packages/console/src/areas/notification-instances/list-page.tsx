// All notification providers.
import type { NotificationInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { notificationInstanceListQuery } from '../../queries/notification-instances.ts';
import { describeKind } from '../connectors/kinds.ts';
import { connectorOf } from './kinds.ts';

const columns: readonly FullListColumn<NotificationInstanceDto>[] = [
  nameColumn(paths.notificationInstances, ({ description }) => description),
  textColumn('kind', 'Kind', ({ kind }) => describeKind(kind)),
  linkColumn('connector', 'Connector', { paths: paths.connectors, of: connectorOf }),
];

export function NotificationInstanceListPage() {
  return (
    <ObjectListPage
      title="Notification providers"
      description="Mail servers, webhooks and other services through which notifications are sent. Notification profiles define who is notified through them."
      paths={paths.notificationInstances}
      create={{ label: 'New provider', needs: ['notificationInstances', 'create'] }}
      query={useQuery(notificationInstanceListQuery)}
      what="notification providers"
      columns={columns}
      textOf={({ name, description, kind, connectorName }) =>
        [name, description, kind, describeKind(kind), connectorName].join(' ')
      }
      empty={{
        title: 'No notification providers yet',
        text: 'Add a mail server or webhook to notify users outside of the console as well.',
      }}
    />
  );
}
