// Bell in the header: shows the number of unread notifications, and opens a panel with the newest ones.
import { Button, Popover, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { markAllRead, newestQuery, unreadCountQuery } from '../../queries/notifications.ts';
import { Entry } from './entry.tsx';
import classes from './notifications.module.css';
import { useInboxChange } from './use-inbox-change.ts';

/** Larger numbers do not fit and are no more useful. */
const SHOWN_AT_MOST = 99;

export function Bell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { data: unread = 0 } = useQuery(unreadCountQuery);
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-end"
      width="min(25rem, calc(100vw - 1rem))"
      trapFocus
      returnFocus
      shadow="md"
      classNames={{ dropdown: classes.panel }}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.bell}
          onClick={toggle}
          aria-label={unread === 0 ? 'Notifications' : `Notifications, ${formatCount(unread)} unread`}
        >
          <IconBell size={19} stroke={1.7} aria-hidden="true" />
          {unread > 0 && (
            <span className={classes.count} aria-hidden="true">
              {unread > SHOWN_AT_MOST ? `${SHOWN_AT_MOST}+` : unread}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>{opened && <NewestNotifications unread={unread} onClose={close} />}</Popover.Dropdown>
    </Popover>
  );
}

function NewestNotifications({ unread, onClose }: { readonly unread: number; readonly onClose: () => void }) {
  const change = useInboxChange();
  const id = useId();
  return (
    <>
      <div className={classes.head}>
        <Title order={2} size="h4" id={id}>
          Notifications
        </Title>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={unread === 0}
          loading={change.isPending}
          onClick={() => change.run(markAllRead)}
        >
          Mark all as read
        </Button>
      </div>
      <QueryView of={useQuery(newestQuery)} what="your notifications">
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed" size="sm" p="md">
              No notifications yet. New ones appear here.
            </Text>
          ) : (
            <ul className={classes.newest} aria-labelledby={id}>
              {items.map((notification) => (
                <li key={notification.uuid}>
                  <Entry notification={notification} onOpen={onClose} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <div className={classes.foot}>
        <Button variant="default" size="xs" component={Link} to={paths.notifications.list} onClick={onClose}>
          Open inbox
        </Button>
      </div>
    </>
  );
}
