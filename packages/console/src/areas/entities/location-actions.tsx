// What can be done with a location.
import { IconFilePlus, IconRefresh, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions, type LinkAction } from '../../kit/actions.tsx';
import { paths, type LocationPlace } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/usual-actions.tsx';
import { locationQuery, type LocationDetail } from '../../queries/entities.ts';
import { mayAt } from './place.ts';

export const placeOf = ({ uuid, entityInstanceUuid }: LocationDetail): LocationPlace => ({
  entityUuid: entityInstanceUuid,
  locationUuid: uuid,
});

export const issueAction = (place: LocationPlace): LinkAction => ({
  label: 'Issue here',
  name: 'Issue a certificate in this location',
  icon: IconFilePlus,
  isPrimary: true,
  needs: [
    ...mayAt(place, 'update'),
    ['locations', 'ANY', place.locationUuid],
    ['entities', 'ANY', place.entityUuid],
    ['certificates', 'create'],
    ['certificates', 'issue'],
  ],
  to: paths.locations.issue(place),
});

export const pushAction = (place: LocationPlace, isPrimary: boolean): LinkAction => ({
  label: 'Push a certificate',
  icon: IconUpload,
  isPrimary,
  needs: [
    ...mayAt(place, 'update'),
    ['locations', 'ANY', place.locationUuid],
    ['entities', 'ANY', place.entityUuid],
  ],
  to: paths.locations.push(place),
});

export function LocationActions({ location }: { readonly location: LocationDetail }) {
  const { name, enabled, supportKeyManagement } = location;
  const place = placeOf(location);
  const queries = useQueryClient();
  return (
    <Actions
      actions={[
        enabled && supportKeyManagement && hasRoom(location) && issueAction(place),
        enabled && hasRoom(location) && pushAction(place, !supportKeyManagement),
        enabled && {
          label: 'Synchronize',
          icon: IconRefresh,
          needs: mayAt(place, 'update'),
          run: async () => {
            await api.locations.syncLocation({ params: place });
            await queries.invalidateQueries({ queryKey: ['certificates'] });
          },
          done: `What is in ${name} was read again.`,
          refresh: ['locations'],
        },
        editAction(paths.locations.of(place.entityUuid).edit(place.locationUuid), mayAt(place, 'update')),
        switchAction({
          name,
          enabled,
          needs: mayAt(place, 'enable'),
          enable: () => api.locations.enableLocation({ params: place }),
          disable: () => api.locations.disableLocation({ params: place }),
          consequence:
            'Nothing is issued, installed, renewed or removed in it until it is enabled again. What is there stays and goes on being used.',
          refresh: ['locations'],
        }),
        removeAction({
          name,
          needs: mayAt(place, 'delete'),
          remove: () => api.locations.deleteLocation({ params: place }),
          consequence:
            'What is in it stays there and goes on being used; the platform forgets that it is there, and renews nothing in it any more.',
          list: paths.entities.one(place.entityUuid),
          queryKey: locationQuery(place).queryKey,
        }),
      ]}
    />
  );
}

/** What is under way there counts as well; the platform knows what did not get there. */
export const hasRoom = ({ supportMultipleEntries, certificates }: LocationDetail): boolean =>
  supportMultipleEntries || certificates.length === 0;
