// Disables or revokes an account. Neither affects certificates that were issued to it.
import { IconBan } from '@tabler/icons-react';
import { api } from '../../../api/client.ts';
import { Actions } from '../../../kit/actions.tsx';
import { switchAction } from '../../../kit/usual-actions.tsx';
import { ACME_KEY } from '../../../queries/acme.ts';
import type { Account } from '../shapes.ts';

export function AccountActions({ profileUuid, account }: { readonly profileUuid: string; readonly account: Account }) {
  const input = { params: { acmeProfileUuid: profileUuid, acmeAccountUuid: account.uuid } };
  const name = `account ${account.accountId}`;
  // Revoked and deactivated are final.
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
          consequence: 'Requests from its client, including renewals, are refused until the account is enabled again.',
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
            children: `Its open orders end and its authorizations become invalid. Its certificates stay valid; revoke them in the inventory if necessary. This cannot be undone, but the client can register a new account${account.externalAccountKeyId === undefined ? '.' : ' if it gets another external account key.'}`,
          },
        },
      ]}
    />
  );
}
