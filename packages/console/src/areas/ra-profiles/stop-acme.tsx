// Ends ACME under the name of an RA profile. Its clients feel it, so it asks.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import type { ServeAcmeProps } from './serve-acme.tsx';

export function StopAcme({ profile: { uuid, name }, authorityUuid }: ServeAcmeProps) {
  const [asking, dialog] = useDisclosure();
  const queries = useQueryClient();
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={dialog.open}>
        Stop serving ACME
      </Button>
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title={`Stop serving ACME under the name ${name}?`}
        verb="Stop serving"
        grave
        action={async () => {
          await api.raProfileAcme.deactivateAcmeForRaProfile({ params: { authorityUuid, raProfileUuid: uuid } });
          await queries.invalidateQueries({ queryKey: ['raProfiles'] });
          notify.done(`${name} does not serve ACME any more.`);
        }}
      >
        Clients that use its directory are refused and cannot renew. The ACME profile keeps their accounts and serves
        its own directory on; certificates stay valid.
      </Confirm>
    </>
  );
}
