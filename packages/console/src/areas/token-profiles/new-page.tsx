// Creates a token profile. Its token determines the other fields.
import { Select } from '@mantine/core';
import type { TokenInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { tokenProfileDefinitionsQuery, tokenListQuery } from '../../queries/tokens.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { TokenProfileForm } from './token-profile-form.tsx';

export function NewTokenProfilePage() {
  const tokens = useQuery(tokenListQuery);
  return (
    <Page
      title="New token profile"
      description="Keys are created under a token profile and used under its rules."
      parent={{ to: paths.tokenProfiles.list, label: 'Token profiles' }}
    >
      <QueryView of={tokens} what="the tokens" inPanel empty={<NoTokens />}>
        {(tokens) => <NewTokenProfile tokens={tokens} />}
      </QueryView>
    </Page>
  );
}

function NoTokens() {
  return (
    <Empty
      title="No tokens yet"
      action={
        <ActionButton
          action={{
            label: 'New token',
            isPrimary: true,
            needs: ['tokens', 'create'],
            to: paths.tokens.new,
          }}
        />
      }
    >
      A token profile belongs to a token, so create a token first.
    </Empty>
  );
}

function NewTokenProfile({ tokens }: { readonly tokens: readonly TokenInstanceDto[] }) {
  const { token: wanted }: { readonly token?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState(wanted);
  const tokenUuid = chosen ?? (tokens.length === 1 ? tokens[0]?.uuid : undefined);
  const definitions = useQuery(tokenProfileDefinitionsQuery(tokenUuid));
  const instead =
    tokenUuid === undefined ? (
      <Empty title="Choose a token">Each token has its own settings.</Empty>
    ) : (
      <QueryView of={definitions} what="the settings of the token">
        {() => null}
      </QueryView>
    );
  return (
    <TokenProfileForm
      tokenUuid={definitions.data ? tokenUuid : undefined}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      tokenField={
        <Select
          label="Token"
          description="Token that holds the keys."
          required
          searchable
          placeholder="Choose"
          data={tokens.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={tokenUuid ?? null}
          onChange={(uuid) => setChosen(uuid ?? undefined)}
        />
      }
    />
  );
}
