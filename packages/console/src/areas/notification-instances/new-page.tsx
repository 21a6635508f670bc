// Creates a notification provider. Its kind determines the additional fields.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewNotificationInstancePage = () => (
  <NewInstancePage
    title="New notification provider"
    description="No notifications are sent until a notification profile uses the provider. Send a test message first."
    parent={{ to: paths.notificationInstances.list, label: 'Notification providers' }}
    what="notification providers"
    kindsOf={kindsOf}
    wordsOf={describeKind}
    form={(fields) => <NotificationInstanceForm {...fields} />}
  />
);
