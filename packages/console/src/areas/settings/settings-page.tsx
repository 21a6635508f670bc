// Platform settings, each with a button to change it.
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { Columns } from '../../ui/columns.tsx';
import { Page } from '../../ui/page.tsx';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { RelatedList } from '../../kit/related-list.tsx';
import { authenticationSettingsQuery } from '../../queries/settings.ts';
import { RenewalPausePanel } from '../expiry/renewal-pause.tsx';
import { ThresholdsPanel } from '../expiry/thresholds-panel.tsx';
import { LocalAdministratorPanel } from './local-administrator.tsx';
import { LoggingPanel } from './logging.tsx';
import { ReadsPanel } from './reads.tsx';
import { RetentionPanel } from './retention.tsx';
import { ValidationPanel } from './validation.tsx';
import { ValidationRunPanel } from './validation-run.tsx';

export function SettingsPage() {
  return (
    <Page
      title="Settings"
      description="Settings apply to the whole platform. Changes take effect on every node within five seconds."
    >
      <Columns
        main={
          <>
            <ProvidersPanel />
            <LoggingPanel />
            <ReadsPanel />
            <RetentionPanel />
            <ThresholdsPanel holder={{ kind: 'platform' }} />
          </>
        }
        side={
          <>
            <ValidationPanel />
            <ValidationRunPanel />
            <RenewalPausePanel />
            <LocalAdministratorPanel />
          </>
        }
      />
    </Page>
  );
}

/** Identity providers that users and programs can authenticate with. */
function ProvidersPanel() {
  const { data, error, refetch } = useQuery(authenticationSettingsQuery);
  const names = data && Object.keys(data.oauth2Providers).toSorted();
  return (
    <RelatedList
      title="Identity providers"
      what="identity providers"
      query={{ data: names?.map((name) => ({ uuid: name, name })), error, refetch }}
      linkOf={({ name }) => paths.identityProviders.one(name)}
      empty="None yet. With an identity provider, users sign in with their existing accounts, and programs authenticate with its tokens."
      actions={
        <ActionButton
          size="xs"
          action={{
            label: 'New identity provider',
            icon: IconPlus,
            needs: ['settings', 'update'],
            to: paths.identityProviders.new,
          }}
        />
      }
    />
  );
}
