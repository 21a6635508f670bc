// Lets a profile serve clients, or stops it. Stopping is felt by every client, so it asks.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { useRefreshAcme } from './queries.ts';
import type { ListedProfile } from './shapes.ts';

export interface EnableButtonProps {
  readonly profile: ListedProfile;
  /** Small, for rows of a list. */
  readonly compact?: boolean;
}

export function EnableButton({ profile: { uuid, name, enabled }, compact = false }: EnableButtonProps) {
  const [asking, dialog] = useDisclosure();
  const refresh = useRefreshAcme();
  const change = async (): Promise<void> => {
    await (enabled ? api.acmeProfiles.disableAcmeProfile : api.acmeProfiles.enableAcmeProfile)({ params: { uuid } });
    await refresh();
    notify.done(enabled ? `${name} is disabled.` : `${name} is enabled.`);
  };
  const enable = useMutation({ mutationFn: change, onError: notify.failed });
  return (
    <>
      <Button
        variant="default"
        size={compact ? 'compact-xs' : 'sm'}
        loading={enable.isPending}
        aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
        onClick={enabled ? dialog.open : () => enable.mutate()}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Confirm opened={asking} onClose={dialog.close} title={`Disable ${name}?`} verb="Disable" action={change}>
        Its clients get no new certificates and cannot renew until it is enabled again. Certificates that they have stay
        valid, accounts and keys are kept.
      </Confirm>
    </>
  );
}
