// Actions for an RA profile.
import { Stack, Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { IconFilePlus, IconUsers } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { Callout } from '../../ui/callout.tsx';
import { useAcmeUsers } from './acme-users.ts';

export function RaProfileActions({ profile }: { readonly profile: RaProfileDto }) {
  const { uuid, name, enabled, authorityInstanceUuid: authorityUuid, legacyAuthority = false } = profile;
  const isConnected = authorityUuid !== undefined;
  return (
    <Actions
      actions={[
        enabled &&
          isConnected &&
          legacyAuthority && {
            label: 'End entities',
            icon: IconUsers,
            isPrimary: true,
            needs: [
              ['raProfiles', 'detail', uuid],
              ['authorities', 'detail', authorityUuid],
            ],
            to: paths.raProfiles.endEntities(uuid).list,
          },
        enabled &&
          isConnected &&
          !legacyAuthority && {
            label: 'Issue a certificate',
            icon: IconFilePlus,
            isPrimary: true,
            needs: [
              ['certificates', 'issue'],
              ['raProfiles', 'detail', uuid],
              ['authorities', 'detail', authorityUuid],
            ],
            to: paths.issueUnder(uuid),
          },
        isConnected &&
          editAction(paths.raProfiles.edit(uuid), [
            ['raProfiles', 'update', uuid],
            ['authorities', 'detail', authorityUuid],
          ]),
        switchAction({
          name,
          enabled,
          needs: ['raProfiles', 'enable', uuid],
          enable: () => api.raProfiles.bulkEnableRaProfile({ body: [uuid] }),
          disable: () => api.raProfiles.bulkDisableRaProfile({ body: [uuid] }),
          consequence:
            'No certificate can be issued or renewed under it until it is enabled again. Existing certificates are not affected.',
          refresh: ['raProfiles'],
        }),
        removeAction({
          name,
          needs: ['raProfiles', 'delete', uuid],
          remove: () => api.raProfiles.deleteRaProfileWithoutAuthority({ params: { raProfileUuid: uuid } }),
          consequence: <RemovalConsequence uuid={uuid} />,
          list: paths.raProfiles.list,
          queryKey: raProfileQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

function RemovalConsequence({ uuid }: { readonly uuid: string }) {
  const users = useAcmeUsers(uuid);
  return (
    <Stack gap="sm">
      {users.length > 0 && (
        <Callout tone="warn" title="RA profile in use">
          {users.length === 1 ? 'One ACME profile uses it' : 'ACME profiles use it'} and will stop issuing:{' '}
          {users.map((user) => user.name).join(', ')}
        </Callout>
      )}
      <Text>
        Certificates can no longer be issued under it. Existing certificates stay valid, but no longer belong to an RA
        profile. This cannot be undone.
      </Text>
    </Stack>
  );
}
