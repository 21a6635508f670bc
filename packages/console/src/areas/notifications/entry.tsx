// A single notification: the event, with a link to its object; an explanation; and the time. Opening the link marks the
// notification as read.
import { Anchor } from '@mantine/core';
import type { NotificationDto } from '@signetry/contract';
import { Link } from '@tanstack/react-router';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { markRead } from '../../queries/notifications.ts';
import classes from './notifications.module.css';
import { pageOfNotification } from './target-page.ts';
import { useInboxChange } from './use-inbox-change.ts';

export interface EntryProps {
  readonly notification: NotificationDto;
  readonly onOpen?: () => void;
}

export function Entry({ notification, onOpen }: EntryProps) {
  const { uuid, message, detail, readAt, sentAt } = notification;
  const change = useInboxChange();
  const to = pageOfNotification(notification);
  const open = (): void => {
    if (readAt === undefined) change.run(() => markRead([uuid]));
    onOpen?.();
  };
  return (
    <div className={classes.entry} data-unread={readAt === undefined || undefined}>
      <div className={classes.message}>
        {readAt === undefined && <span className="visually-hidden">Unread: </span>}
        {to === undefined ? (
          message
        ) : (
          <Anchor component={Link} to={to} inherit underline="hover" onClick={open}>
            {message}
          </Anchor>
        )}
      </div>
      {detail !== undefined && <div className={classes.detail}>{detail}</div>}
      <time className={classes.time} dateTime={sentAt} title={formatDateTime(sentAt)}>
        {formatRelative(sentAt)}
      </time>
    </div>
  );
}
