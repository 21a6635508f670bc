// Actions for a location.
import type { DeploymentState } from '@signetry/contract';
import { IconFilePlus, IconRefresh, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions, type LinkAction } from '../../kit/actions.tsx';
import { paths, type LocationPath } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { deploymentQuery, locationQuery, type Deployment, type LocationDetail } from '../../queries/entities.ts';
import { requiredLocationRights } from './location-path.ts';

export const locationPathOf = ({ uuid, entityInstanceUuid }: LocationDetail): LocationPath => ({
  entityUuid: entityInstanceUuid,
  locationUuid: uuid,
});

const issueAction = (place: LocationPath): LinkAction => ({
  label: 'Issue a certificate',
  name: 'Issue a certificate in this location',
  icon: IconFilePlus,
  isPrimary: true,
  needs: [
    ...requiredLocationRights(place, 'update'),
    ['locations', 'ANY', place.locationUuid],
    ['entities', 'ANY', place.entityUuid],
    ['certificates', 'create'],
    ['certificates', 'issue'],
  ],
  to: paths.locations.issue(place),
});

const pushAction = (place: LocationPath, isPrimary: boolean): LinkAction => ({
  label: 'Push a certificate',
  icon: IconUpload,
  isPrimary,
  needs: [
    ...requiredLocationRights(place, 'update'),
    ['locations', 'ANY', place.locationUuid],
    ['entities', 'ANY', place.entityUuid],
  ],
  to: paths.locations.push(place),
});

/** Returns the actions that install a certificate in the location. */
export function installActions(location: LocationDetail): readonly LinkAction[] {
  const { supportKeyManagement } = location;
  const place = locationPathOf(location);
  return [...(supportKeyManagement ? [issueAction(place)] : []), pushAction(place, !supportKeyManagement)];
}

export function LocationActions({ location }: { readonly location: LocationDetail }) {
  const { name, enabled } = location;
  const place = locationPathOf(location);
  const { data: deployment } = useQuery(deploymentQuery(place));
  const takesMore = deployment !== undefined && hasCertificates(deployment) && !isInstallPending(location, deployment);
  const queries = useQueryClient();
  return (
    <Actions
      actions={[
        ...(enabled && takesMore ? installActions(location) : []),
        enabled && {
          label: 'Synchronize',
          icon: IconRefresh,
          needs: requiredLocationRights(place, 'update'),
          run: async () => {
            try {
              await api.locations.syncLocation({ params: place });
              await queries.invalidateQueries({ queryKey: ['certificates'] });
            } finally {
              // The location's page shows why the operation failed.
              await queries.invalidateQueries({ queryKey: ['locations'] });
            }
          },
          done: `${name} was synchronized.`,
          refresh: ['locations'],
        },
        editAction(
          paths.locations.of(place.entityUuid).edit(place.locationUuid),
          requiredLocationRights(place, 'update'),
        ),
        switchAction({
          name,
          enabled,
          needs: requiredLocationRights(place, 'enable'),
          enable: () => api.locations.enableLocation({ params: place }),
          disable: () => api.locations.disableLocation({ params: place }),
          consequence:
            'Certificates cannot be issued, installed, renewed or removed in it until it is enabled again. Installed certificates stay in use.',
          refresh: ['locations'],
        }),
        removeAction({
          name,
          needs: requiredLocationRights(place, 'delete'),
          remove: () => api.locations.deleteLocation({ params: place }),
          consequence:
            'Installed certificates stay in place and in use, but the platform no longer tracks or renews them there.',
          list: paths.entities.one(place.entityUuid),
          queryKey: locationQuery(place).queryKey,
        }),
      ]}
    />
  );
}

/** An empty location shows these actions in its certificates panel instead. */
const hasCertificates = ({ certificates }: Deployment): boolean => certificates.length > 0;

/** Returns the certificate in a single-certificate location, which the next installed certificate replaces. */
export const occupantOf = ({ supportMultipleEntries, certificates }: LocationDetail) =>
  supportMultipleEntries
    ? undefined
    : certificates.find(({ deployment }) => deployment !== undefined && THERE.has(deployment));

const THERE: ReadonlySet<DeploymentState> = new Set(['installed', 'served']);

/**
 * Returns whether a certificate in a single-certificate location is pending or being installed, so that no other
 * certificate can be pushed.
 */
const isInstallPending = ({ supportMultipleEntries }: LocationDetail, { certificates }: Deployment): boolean =>
  !supportMultipleEntries && certificates.some(({ state }) => state === 'waiting' || state === 'pushing');
