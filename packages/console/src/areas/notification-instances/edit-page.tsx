// Edits a notification provider. Secrets are kept unless they are replaced.
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
    description="The new settings apply to all further deliveries, including retries."
    kindOf={kindOf}
    form={(fields) => <NotificationInstanceForm {...fields} />}
  />
);
