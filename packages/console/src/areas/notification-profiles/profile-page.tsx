// Page for a single notification profile: its recipients, delivery and frequency in each of its versions.
import { hoursInDuration, type NotificationProfileDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { VersionPanel } from '../../kit/version-panel.tsx';
import { notificationProfileQuery } from '../../queries/notification-profiles.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { namedType, type NamedType } from '../notifications/recipient-types.ts';
import { recipientTexts, describeRepetition } from '../notifications/texts.ts';

export function NotificationProfilePage() {
  return (
    <ObjectPage
      query={useQuery(notificationProfileQuery(useUuid()))}
      what="the notification profile"
      parent={{ to: paths.notificationProfiles.list, label: 'Notification profiles' }}
      description={({ description }) => description}
      actions={({ uuid, name }) => (
        <Actions
          actions={[
            editAction(paths.notificationProfiles.edit(uuid), ['notificationProfiles', 'update', uuid]),
            removeAction({
              name,
              needs: ['notificationProfiles', 'delete', uuid],
              remove: () => api.notificationProfiles.deleteNotificationProfile({ params: { uuid } }),
              consequence: 'No further notifications are sent for this profile. This cannot be undone.',
              list: paths.notificationProfiles.list,
              queryKey: notificationProfileQuery(uuid).queryKey,
            }),
          ]}
        />
      )}
      main={(latest) => (
        <VersionPanel
          title="Settings"
          latest={latest}
          queryOf={(version) => notificationProfileQuery(latest.uuid, version)}
        >
          {(profile) => <Rules profile={profile} />}
        </VersionPanel>
      )}
      side={({ uuid }) => (
        <Panel title="Identifier">
          <Facts facts={[identifierFact(uuid)]} />
        </Panel>
      )}
    />
  );
}

const pages: Readonly<Record<NamedType, (uuid: string) => string>> = {
  user: paths.users.one,
  group: paths.groups.one,
  role: paths.roles.one,
};

function Rules({ profile }: { readonly profile: NotificationProfileDetailDto }) {
  const { recipientType, recipients = [], internalNotification, notificationInstance: instance } = profile;
  const { frequency, repetitions } = profile;
  const type = namedType(recipientType);
  const hours = frequency === undefined ? undefined : hoursInDuration(frequency);
  return (
    <Facts
      facts={[
        { name: 'Recipients', value: recipientTexts[recipientType] },
        type && {
          name: 'Selected',
          value:
            recipients.length === 0
              ? 'None left; all were deleted'
              : recipients.map(({ uuid, name }, place) => (
                  <Fragment key={uuid}>
                    {place > 0 && ', '}
                    <TextLink to={pages[type](uuid)}>{name}</TextLink>
                  </Fragment>
                )),
        },
        { name: 'Inbox', value: internalNotification ? 'Yes' : 'No' },
        {
          name: 'Provider',
          value: instance ? (
            <TextLink to={paths.notificationInstances.one(instance.uuid)}>{instance.name}</TextLink>
          ) : (
            'None'
          ),
        },
        { name: 'How often', value: describeRepetition(hours, repetitions) },
      ]}
    />
  );
}
