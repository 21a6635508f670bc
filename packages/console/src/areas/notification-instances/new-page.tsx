// A new notification provider: its kind decides which further fields there are.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewNotificationInstancePage = () => (
  <NewInstancePage
    title="New notification provider"
    description="Nothing is sent yet. Send a test message afterwards, then use the provider in a notification profile."
    parent={{ to: paths.notificationInstances.list, label: 'Notification providers' }}
    what="notification providers"
    kindsOf={kindsOf}
    wordsOf={wordsOfKind}
    form={(fields) => <NotificationInstanceForm {...fields} />}
  />
);
