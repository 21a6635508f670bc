// Pages for adding and editing a notification profile.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { notificationProfileQuery } from '../../queries/notification-profiles.ts';
import { Page } from '../../ui/page.tsx';
import { NotificationProfileForm } from './profile-form.tsx';

export const NewNotificationProfilePage = () => (
  <Page
    title="New notification profile"
    description="Who is notified, how, and how often."
    parent={{ to: paths.notificationProfiles.list, label: 'Notification profiles' }}
  >
    <NotificationProfileForm />
  </Page>
);

export const EditNotificationProfilePage = () => (
  <EditPage
    query={useQuery(notificationProfileQuery(useUuid()))}
    what="the notification profile"
    paths={paths.notificationProfiles}
    description="Saving creates a new version. Notifications in progress continue with the version that they started with."
  >
    {(profile) => <NotificationProfileForm profile={profile} />}
  </EditPage>
);
