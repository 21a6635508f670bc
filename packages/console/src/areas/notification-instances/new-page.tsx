// A new notification provider: its kind decides which further fields there are.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewNotificationInstancePage = () => (
  <NewInstancePage
    title="New notification provider"
    description="Nothing is sent yet: try it afterwards, then name it in a notification profile."
    parent={{ to: paths.notificationInstances.list, label: 'Notification providers' }}
    what="notifications"
    kindsOf={kindsOf}
    wordsOf={wordsOfKind}
    none={{ text: 'Notifications leave the platform through connectors, and none of the connected ones offers any.' }}
    form={(fields) => <NotificationInstanceForm {...fields} />}
  />
);
