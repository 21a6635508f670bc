// Editing a notification provider. Secrets that are not replaced stay.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { notificationInstanceQuery } from '../../queries/notification-instances.ts';
import { EditInstancePage } from '../connectors/instance-pages.tsx';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindOf } from './kinds.ts';

export const EditNotificationInstancePage = () => (
  <EditInstancePage
    query={useQuery(notificationInstanceQuery(useUuid()))}
    what="the notification provider"
    paths={paths.notificationInstances}
    description="The new settings apply from the next delivery, including retries."
    kindOf={kindOf}
    form={(fields) => <NotificationInstanceForm {...fields} />}
  />
);
