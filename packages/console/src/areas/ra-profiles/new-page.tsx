// A new RA profile: its authority decides what else is asked for.
import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { authorityListQuery, profileDefinitionsQuery } from '../authorities/queries.ts';
import { RaProfileForm } from './ra-profile-form.tsx';

const route = getRouteApi('/ra-profiles/new');

export function NewRaProfilePage() {
  return (
    <Page
      title="New RA profile"
      description="Fields that are left empty are as the authority does it by itself."
      parent={{ to: paths.raProfiles, label: 'RA profiles' }}
    >
      <NewRaProfile />
    </Page>
  );
}

function NewRaProfile() {
  const { authority: wanted } = route.useSearch();
  const authorities = useQuery(authorityListQuery);
  const [chosen, setChosen] = useState(wanted);
  const authorityUuid = chosen ?? (authorities.data?.length === 1 ? authorities.data[0]?.uuid : undefined);
  const definitions = useQuery(profileDefinitionsQuery(authorityUuid));
  if (authorities.error) return <Failure error={authorities.error} retry={() => void authorities.refetch()} />;
  if (!authorities.data) return <Loading what="authorities" />;
  if (authorities.data.length === 0) {
    return (
      <Panel>
        <Empty
          title="There is no authority yet"
          action={
            <Button component={Link} to={paths.newAuthority}>
              Add an authority
            </Button>
          }
        >
          An RA profile says under which conditions an authority signs certificates, so the authority comes first.
        </Empty>
      </Panel>
    );
  }
  const instead =
    authorityUuid === undefined ? (
      <Empty title="Choose an authority">Each has conditions of its own.</Empty>
    ) : definitions.error ? (
      <Failure error={definitions.error} retry={() => void definitions.refetch()} />
    ) : definitions.data ? undefined : (
      <Loading what="what the authority asks for" />
    );
  return (
    <RaProfileForm
      authorityUuid={definitions.data ? authorityUuid : undefined}
      definitions={definitions.data ?? []}
      instead={instead}
      authorityField={
        <Select
          label="Authority"
          description="It signs the certificates."
          required
          searchable
          placeholder="Choose"
          data={authorities.data.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={authorityUuid ?? null}
          onChange={(uuid) => setChosen(uuid ?? undefined)}
        />
      }
    />
  );
}
