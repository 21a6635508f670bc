// What can be done with a profile as a whole.
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Remove } from '../../ui/remove.tsx';
import { EnableButton } from './enable-button.tsx';
import { profileQuery } from './queries.ts';
import type { Profile } from './shapes.ts';

export function ProfileActions({ profile }: { readonly profile: Profile }) {
  const { uuid, name } = profile;
  const [removing, removal] = useDisclosure();
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
        list={paths.acme}
        queryKey={profileQuery(uuid).queryKey}
      >
        <Text>
          Its directory, accounts, orders and external account keys are removed, and its clients cannot renew any more.
          Certificates that were issued stay valid and in the inventory. This cannot be undone.
        </Text>
      </Remove>
    </>
  );
}
