// What can be done with an authority.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AuthorityInstanceDto } from '@signetry/contract';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Remove } from '../../ui/remove.tsx';
import { authorityQuery } from './queries.ts';

export function AuthorityActions({ authority }: { readonly authority: AuthorityInstanceDto }) {
  const [removing, removal] = useDisclosure();
  const { uuid, name, connectorUuid } = authority;
  return (
    <>
      {connectorUuid !== undefined && (
        <Button
          variant="default"
          component={Link}
          to={paths.editAuthority(uuid)}
          leftSection={<IconPencil size={16} />}
        >
          Edit
        </Button>
      )}
      <Button variant="default" c="var(--bad)" onClick={removal.open}>
        Remove
      </Button>
      <Remove
        opened={removing}
        onClose={removal.close}
        name={name}
        remove={() => api.authorities.deleteAuthorityInstance({ params: { uuid } })}
        force={{
          consequence:
            'Whatever needs it stays, but nothing can be issued there any more, and it is forgotten here even if its connector does not agree. This cannot be undone.',
          remove: () => api.authorities.forceDeleteAuthorityInstances({ body: [uuid] }),
        }}
        list={paths.authorities}
        queryKey={authorityQuery(uuid).queryKey}
      >
        Its connector removes it, too. A CA whose key the connector keeps can sign nothing any more: neither
        certificates nor revocation lists. Certificates that it signed stay in the inventory.
      </Remove>
    </>
  );
}
