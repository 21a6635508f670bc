// Stops an account for a while or for good. Certificates that it got are not touched by either.
import { IconBan } from '@tabler/icons-react';
import { api } from '../../../api/client.ts';
import { Actions } from '../../../kit/actions.tsx';
import { switchAction } from '../../../kit/usual-actions.tsx';
import { ACME_KEY } from '../../../queries/acme.ts';
import type { Account } from '../shapes.ts';

export function AccountActions({ profileUuid, account }: { readonly profileUuid: string; readonly account: Account }) {
  const input = { params: { acmeProfileUuid: profileUuid, acmeAccountUuid: account.uuid } };
  const name = `account ${account.accountId}`;
  // What has ended stays so.
  if (account.status !== 'valid') return null;
  return (
    <Actions
      actions={[
        switchAction({
          name,
          enabled: account.enabled,
          needs: ['acmeAccounts', 'enable', account.uuid],
          enable: () => api.acmeAccounts.enableAcmeAccount(input),
          disable: () => api.acmeAccounts.disableAcmeAccount(input),
          consequence: 'Requests of its client are refused, renewals included, until the account is enabled again.',
          refresh: ACME_KEY,
        }),
        {
          label: 'Revoke',
          icon: IconBan,
          isGrave: true,
          needs: ['acmeAccounts', 'revoke', account.uuid],
          run: () => api.acmeAccounts.revokeAcmeAccount(input),
          done: 'The account is revoked.',
          refresh: ACME_KEY,
          ask: {
            title: `Revoke ${name}?`,
            keep: 'Keep it',
            children: `Its open orders end and its authorizations no longer count. Its certificates stay valid; revoke them in the inventory. This cannot be undone, but the client can register a new account${account.externalAccountKeyId === undefined ? '.' : ' if it gets another external account key.'}`,
          },
        },
      ]}
    />
  );
}
