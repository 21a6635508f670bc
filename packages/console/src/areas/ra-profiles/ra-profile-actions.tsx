// What can be done with an RA profile.
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { IconFilePlus, IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { Remove } from '../../ui/remove.tsx';
import { raProfileQuery } from './queries.ts';
import { useAcmeUsers } from './acme-users.ts';

export function RaProfileActions({ profile }: { readonly profile: RaProfileDto }) {
  const [removing, removal] = useDisclosure();
  const [disabling, disabled] = useDisclosure();
  const queries = useQueryClient();
  const users = useAcmeUsers(profile.uuid);
  const { uuid, name, enabled, authorityInstanceUuid: authorityUuid } = profile;
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['raProfiles'] });

  const enable = async (): Promise<void> => {
    await api.raProfiles.bulkEnableRaProfile({ body: [uuid] });
    await refresh();
    notify.done(`Certificates can be issued under ${name}.`);
  };
  return (
    <>
      {enabled && authorityUuid !== undefined && (
        <Button component={Link} to={paths.issueUnder(uuid)} leftSection={<IconFilePlus size={16} />}>
          Issue under this profile
        </Button>
      )}
      {authorityUuid !== undefined && (
        <Button
          variant="default"
          component={Link}
          to={paths.editRaProfile(uuid)}
          leftSection={<IconPencil size={16} />}
        >
          Edit
        </Button>
      )}
      {enabled ? (
        <Button variant="default" onClick={disabled.open}>
          Disable
        </Button>
      ) : (
        <Button variant="default" onClick={() => void enable().catch(notify.failed)}>
          Enable
        </Button>
      )}
      <Button variant="default" c="var(--bad)" onClick={removal.open}>
        Remove
      </Button>
      <Confirm
        opened={disabling}
        onClose={disabled.close}
        title={`Disable ${name}?`}
        verb="Disable"
        action={async () => {
          await api.raProfiles.bulkDisableRaProfile({ body: [uuid] });
          await refresh();
          notify.done(`${name} is disabled.`);
        }}
      >
        Nobody gets or renews a certificate under it until it is enabled again. Issued certificates stay as they are.
      </Confirm>
      <Remove
        opened={removing}
        onClose={removal.close}
        name={name}
        remove={() => api.raProfiles.deleteRaProfileWithoutAuthority({ params: { raProfileUuid: uuid } })}
        list={paths.raProfiles}
        queryKey={raProfileQuery(uuid).queryKey}
      >
        <Stack gap="sm">
          {users.length > 0 && (
            <Callout tone="warn" title="It is in use">
              {users.length === 1 ? 'An ACME profile issues' : 'ACME profiles issue'} under it and will issue nothing
              any more: {users.map((user) => user.name).join(', ')}
            </Callout>
          )}
          <Text>
            Nobody can get a certificate under it any more. Certificates that were issued under it stay valid, but
            belong to no RA profile. This cannot be undone.
          </Text>
        </Stack>
      </Remove>
    </>
  );
}
