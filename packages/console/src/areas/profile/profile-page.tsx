// The user's own page: details, sign-in methods and permissions.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ownPermissionsQuery, useProfile } from '../../api/session.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { ownTokensQuery } from '../../queries/sign-in.ts';
import { Columns } from '../../ui/columns.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { withoutRoles } from '../roles/permissions/granted.ts';
import { PermissionsView } from '../roles/permissions/permissions-view.tsx';
import { CreateToken } from './create-token.tsx';
import { OwnData } from './own-data.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { TokenPanel } from './token-panel.tsx';

export function ProfilePage() {
  const profile = useProfile();
  return (
    <Page title="Your profile" description={`You are signed in as ${profile.username}.`}>
      <Columns
        main={
          <>
            <OwnPasskeys />
            <Sessions />
            <TokenPanel
              query={useQuery(ownTokensQuery)}
              revoke={(uuid) => api.accessTokens.revokeAccessToken({ params: { uuid } })}
              refresh={ownTokensQuery.queryKey}
              actions={<CreateToken />}
              empty="No access tokens yet. Scripts and machines use one to act on your behalf."
            />
          </>
        }
        side={
          <>
            <OwnData profile={profile} />
            <OwnPermissions />
          </>
        }
      />
    </Page>
  );
}

function OwnPermissions() {
  const { permissions } = useProfile();
  return (
    <Panel title="Your permissions">
      <QueryView of={useQuery(ownPermissionsQuery)} what="your permissions">
        {(own) => (
          <PermissionsView
            permissions={withoutRoles(own, permissions.allowedListings)}
            whom="you"
            empty="No permissions yet. Ask an administrator for a role."
          />
        )}
      </QueryView>
    </Panel>
  );
}
