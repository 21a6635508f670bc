// All notification profiles.
import type { NotificationProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { notificationProfileListQuery } from '../../queries/notification-profiles.ts';
import { recipientTexts, describeChannels } from '../notifications/texts.ts';

const columns: readonly FullListColumn<NotificationProfileDto>[] = [
  nameColumn(paths.notificationProfiles, ({ description }) => description),
  {
    key: 'recipients',
    title: 'Recipients',
    by: ({ recipientType }) => recipientTexts[recipientType],
    cell: ({ recipientType }) => recipientTexts[recipientType],
  },
  textColumn('ways', 'Delivery', ({ internalNotification, notificationInstanceUuid }) =>
    describeChannels(internalNotification, notificationInstanceUuid === undefined ? undefined : 'a provider'),
  ),
  textColumn('version', 'Version', ({ version }) => String(version)),
];

export function NotificationProfileListPage() {
  return (
    <ObjectListPage
      title="Notification profiles"
      term="notification-profile"
      description="Who is notified of an event, how, and how often."
      paths={paths.notificationProfiles}
      create={{ label: 'New notification profile', needs: ['notificationProfiles', 'create'] }}
      query={useQuery(notificationProfileListQuery)}
      what="notification profiles"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No notification profiles yet',
        text: 'Users are always notified here about events that concern them. Create a profile to notify other recipients, or to notify through a provider.',
      }}
    />
  );
}
