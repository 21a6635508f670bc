// What can be done with a profile as a whole.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { EnableButton } from './enable-button.tsx';
import { useRefreshAcme } from './queries.ts';
import type { Profile } from './shapes.ts';

export function ProfileActions({ profile }: { readonly profile: Profile }) {
  const { uuid, name } = profile;
  const [deleting, deletion] = useDisclosure();
  const navigate = useNavigate();
  const refresh = useRefreshAcme();
  const remove = async (): Promise<void> => {
    await api.acmeProfiles.deleteAcmeProfile({ params: { uuid } });
    notify.done(`${name} is deleted.`);
    await navigate({ to: paths.acme });
    await refresh();
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
          <Menu.Item c="var(--bad)" leftSection={<IconTrash size={15} aria-hidden="true" />} onClick={deletion.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={deleting}
        onClose={deletion.close}
        title={`Delete ${name}?`}
        verb="Delete"
        keep="Keep it"
        grave
        action={remove}
      >
        Its directory, accounts, orders and external account keys are removed, and its clients cannot renew any more.
        Certificates that were issued stay valid and in the inventory. This cannot be undone.
      </Confirm>
    </>
  );
}
