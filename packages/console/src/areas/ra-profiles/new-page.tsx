// A new RA profile. The selected authority determines the additional fields.
import { Select } from '@mantine/core';
import type { AuthorityInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { authorityListQuery, profileDefinitionsQuery } from '../../queries/authorities.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { RaProfileForm } from './ra-profile-form.tsx';

export function NewRaProfilePage() {
  const authorities = useQuery(authorityListQuery);
  return (
    <Page
      title="New RA profile"
      description="If a field is empty, the authority’s default applies."
      parent={{ to: paths.raProfiles.list, label: 'RA profiles' }}
    >
      <QueryView of={authorities} what="the authorities" inPanel empty={<NoAuthorities />}>
        {(authorities) => <NewRaProfile authorities={authorities} />}
      </QueryView>
    </Page>
  );
}

function NoAuthorities() {
  return (
    <Empty
      title="No authorities yet"
      action={
        <ActionButton
          action={{
            label: 'Add authority',
            isPrimary: true,
            needs: ['authorities', 'create'],
            to: paths.authorities.new,
          }}
        />
      }
    >
      An RA profile defines the conditions under which an authority issues certificates, so create the authority first.
    </Empty>
  );
}

function NewRaProfile({ authorities }: { readonly authorities: readonly AuthorityInstanceDto[] }) {
  const { authority: wanted }: { readonly authority?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState(wanted);
  const authorityUuid = chosen ?? (authorities.length === 1 ? authorities[0]?.uuid : undefined);
  const definitions = useQuery(profileDefinitionsQuery(authorityUuid));
  const instead =
    authorityUuid === undefined ? (
      <Empty title="Choose an authority">Each authority has its own conditions.</Empty>
    ) : (
      <QueryView of={definitions} what="the authority settings">
        {() => null}
      </QueryView>
    );
  return (
    <RaProfileForm
      authorityUuid={definitions.data ? authorityUuid : undefined}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      authorityField={
        <Select
          label="Authority"
          description="Signs the certificates."
          required
          searchable
          placeholder="Choose"
          data={authorities.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={authorityUuid ?? null}
          onChange={(uuid) => setChosen(uuid ?? undefined)}
        />
      }
    />
  );
}
