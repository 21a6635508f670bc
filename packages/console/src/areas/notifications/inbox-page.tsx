// The user's notifications, newest first. They can be read, marked and deleted here.
import { ActionIcon, Button, SegmentedControl, Text, Tooltip } from '@mantine/core';
import type { NotificationDto } from '@signetry/contract';
import { IconCheck, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../../format/names.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { useSearchChange } from '../../kit/use-list-search.ts';
import {
  inboxQuery,
  markAllRead,
  markRead,
  notificationsPerPage,
  removeNotifications,
  unreadCountQuery,
  type InboxSearch,
} from '../../queries/notifications.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Entry } from './entry.tsx';
import classes from './notifications.module.css';
import { useInboxChange } from './use-inbox-change.ts';

const columns: readonly Column<NotificationDto>[] = [
  { key: 'message', title: 'Notification', cell: (notification) => <Entry notification={notification} /> },
  { key: 'tools', title: 'Actions', align: 'right', cell: (notification) => <RowTools notification={notification} /> },
];

export function NotificationInboxPage() {
  const { data: unread = 0 } = useQuery(unreadCountQuery);
  const change = useInboxChange();
  return (
    <Page
      title="Inbox"
      description="Your notifications: what happened, what it means, and what to do next."
      actions={
        <Button
          variant="default"
          disabled={unread === 0}
          loading={change.isPending}
          onClick={() => change.run(markAllRead, 'All notifications are marked as read.')}
        >
          Mark all as read
        </Button>
      }
      wide
    >
      <div className={classes.inbox}>
        <Inbox />
      </div>
    </Page>
  );
}

function Inbox() {
  const search: InboxSearch = useSearch({ strict: false });
  const change = useSearchChange<InboxSearch>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery(inboxQuery(search));
  // Notifications that are no longer listed are excluded, so that actions never apply to rows that the user cannot see.
  const chosen = (query.data?.items ?? []).map(({ uuid }) => uuid).filter((uuid) => selected.has(uuid));
  return (
    <PagedList
      query={query}
      what="notifications"
      label="Notifications"
      rowsOf={({ items }) => items}
      columns={columns}
      nameOf={({ message }) => message}
      page={search.page ?? 1}
      size={notificationsPerPage()}
      onPage={(page) => change({ page })}
      selected={selected}
      onSelect={setSelected}
      selection={chosen.length > 0 && <Selection chosen={chosen} onDone={() => setSelected(new Set())} />}
      tools={
        <SegmentedControl
          aria-label="Filter notifications"
          data={[
            { value: 'all', label: 'All' },
            { value: 'unread', label: 'Unread' },
          ]}
          value={search.unread ? 'unread' : 'all'}
          onChange={(value) => change({ unread: value === 'unread' ? true : undefined })}
        />
      }
      empty={
        <Empty title={search.unread ? 'No unread notifications' : 'No notifications yet'}>
          {search.unread
            ? 'You have read all notifications.'
            : 'You are notified about your certificates, approvals, discoveries and jobs, and about decisions on your requests.'}
        </Empty>
      }
    />
  );
}

interface SelectionProps {
  readonly chosen: readonly string[];
  readonly onDone: () => void;
}

function Selection({ chosen, onDone }: SelectionProps) {
  const change = useInboxChange();
  const run = (work: (uuids: readonly string[]) => Promise<unknown>, done: string): void =>
    change.run(async () => {
      await work(chosen);
      onDone();
    }, done);
  return (
    <div className={classes.selected}>
      <Text size="sm" fw={600}>
        {formatCount(chosen.length)} selected
      </Text>
      <Button size="xs" variant="default" loading={change.isPending} onClick={() => run(markRead, 'Marked as read.')}>
        Mark as read
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--bad)"
        loading={change.isPending}
        onClick={() => run(removeNotifications, 'Deleted.')}
      >
        Delete
      </Button>
    </div>
  );
}

function RowTools({ notification: { uuid, message, readAt } }: { readonly notification: NotificationDto }) {
  const change = useInboxChange();
  return (
    <div className={classes.rowTools}>
      {readAt === undefined && (
        <Tooltip label="Mark as read">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Mark as read: ${message}`}
            onClick={() => change.run(() => markRead([uuid]))}
          >
            <IconCheck size={17} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Delete">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Delete: ${message}`}
          onClick={() => change.run(() => removeNotifications([uuid]), 'The notification was deleted.')}
        >
          <IconTrash size={17} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
