// Stops an account for a while or for good. Certificates that it got are not touched by either.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notices.tsx';
import { useRefreshAcme } from '../queries.ts';
import type { Account } from '../shapes.ts';

export function AccountActions({ profileUuid, account }: { readonly profileUuid: string; readonly account: Account }) {
  const [disabling, disabled] = useDisclosure();
  const [revoking, revoked] = useDisclosure();
  const refresh = useRefreshAcme();
  const input = { params: { acmeProfileUuid: profileUuid, acmeAccountUuid: account.uuid } };
  const change = async (call: Promise<void>, done: string): Promise<void> => {
    await call;
    await refresh();
    notify.done(done);
  };
  const enable = useMutation({
    mutationFn: () => change(api.acmeAccounts.enableAcmeAccount(input), 'The account is enabled.'),
    onError: notify.failed,
  });
  // What has ended stays so.
  if (account.status !== 'valid') return null;
  return (
    <>
      {account.enabled ? (
        <Button variant="default" onClick={disabled.open}>
          Disable
        </Button>
      ) : (
        <Button loading={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <Button
        variant="default"
        c="var(--bad)"
        leftSection={<IconBan size={16} aria-hidden="true" />}
        onClick={revoked.open}
      >
        Revoke
      </Button>
      <Confirm
        opened={disabling}
        onClose={disabled.close}
        title={`Disable the account ${account.accountId}?`}
        verb="Disable"
        action={() => change(api.acmeAccounts.disableAcmeAccount(input), 'The account is disabled.')}
      >
        Its client is refused and cannot renew until the account is enabled again.
      </Confirm>
      <Confirm
        opened={revoking}
        onClose={revoked.close}
        title={`Revoke the account ${account.accountId}?`}
        verb="Revoke"
        keep="Keep it"
        grave
        action={() => change(api.acmeAccounts.revokeAcmeAccount(input), 'The account is revoked.')}
      >
        Its open orders end and its proofs count no more. Certificates that it got stay valid; revoke them in the
        inventory. This cannot be undone, but the client can make a new account
        {account.externalAccountKeyId === undefined ? '.' : ' if it gets another external account key.'}
      </Confirm>
    </>
  );
}
