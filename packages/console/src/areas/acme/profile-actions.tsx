// What can be done with a profile as a whole.
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { notify } from '../../ui/notices.tsx';
import { Remove } from '../../ui/remove.tsx';
import { EnableButton } from './enable-button.tsx';
import { useRefreshAcme } from './queries.ts';
import type { Profile } from './shapes.ts';

export function ProfileActions({ profile }: { readonly profile: Profile }) {
  const { uuid, name } = profile;
  const [removing, removal] = useDisclosure();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = useRefreshAcme();
  const leave = async (): Promise<void> => {
    notify.done(`${name} was removed.`);
    await navigate({ to: paths.acme });
    // RA profiles tell by which profile they are served.
    await Promise.all([refresh(), queries.invalidateQueries({ queryKey: ['raProfiles'] })]);
  };
  return (
    <>
      <Button
        component={Link}
        to={paths.editAcmeProfile(uuid)}
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden="true" />}
      >
        Edit settings
      </Button>
      <EnableButton profile={profile} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`More for ${name}`}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item c="var(--bad)" leftSection={<IconTrash size={15} aria-hidden="true" />} onClick={removal.open}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Remove
        opened={removing}
        onClose={removal.close}
        name={name}
        remove={() => api.acmeProfiles.deleteAcmeProfile({ params: { uuid } })}
        force={{
          reason: 'RA profiles serve ACME with it',
          consequence:
            'By force it is taken from them: their directories of ACME end, nothing else of them changes. Its accounts, orders and keys go with it.',
          remove: () => api.acmeProfiles.forceDeleteACMEProfiles({ body: [uuid] }),
        }}
        onRemoved={leave}
      >
        <Text>
          Its directory, accounts, orders and external account keys are removed, and its clients cannot renew any more.
          Certificates that were issued stay valid and in the inventory. This cannot be undone.
        </Text>
      </Remove>
    </>
  );
}
