// Identity providers that people and programs sign in with.
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { RelatedList } from '../../kit/related-list.tsx';
import { authenticationSettingsQuery } from '../../queries/settings.ts';

export function ProvidersPanel() {
  const { data, error, refetch } = useQuery(authenticationSettingsQuery);
  const names = data && Object.keys(data.oauth2Providers).toSorted();
  return (
    <RelatedList
      title="Identity providers"
      what="identity providers"
      query={{ data: names?.map((name) => ({ uuid: name, name })), error, refetch }}
      linkOf={({ name }) => paths.identityProviders.one(name)}
      empty="None yet. With one, people sign in with the account they have already, and programs send tokens of it."
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
