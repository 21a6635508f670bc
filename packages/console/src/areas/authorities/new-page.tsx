// A new authority: its kind decides what else is asked for.
import { Button, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../connectors/queries.ts';
import { AuthorityForm } from './authority-form.tsx';
import { keyOf, kindsOf, type AuthorityKind } from './kinds.ts';

export function NewAuthorityPage() {
  const { data: connectors, error, refetch } = useQuery(connectorListQuery);
  const kinds = connectors && kindsOf(connectors.filter(({ status }) => status === 'connected'));
  return (
    <Page
      title="New authority"
      description="Makes a certification authority at a connector, or takes one in that the connector reaches."
      parent={{ to: paths.authorities, label: 'Authorities' }}
    >
      {error && !kinds ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !kinds ? (
        <Loading what="kinds of authorities" />
      ) : kinds.length === 0 ? (
        <NoKinds />
      ) : (
        <NewAuthority kinds={kinds} />
      )}
    </Page>
  );
}

function NoKinds() {
  return (
    <Panel>
      <Empty
        title="No connector offers authorities"
        action={
          <Button component={Link} to={paths.connectors}>
            Look at the connectors
          </Button>
        }
      >
        An authority lives at a connector. None that is connected offers one.
      </Empty>
    </Panel>
  );
}

function NewAuthority({ kinds }: { readonly kinds: readonly AuthorityKind[] }) {
  const [chosen, setChosen] = useState<string>();
  const kind = kinds.length === 1 ? kinds[0] : kinds.find((each) => keyOf(each) === chosen);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  const instead = !kind ? (
    <Empty title="Choose a kind">Each asks for something else.</Empty>
  ) : definitions.error ? (
    <Failure error={definitions.error} retry={() => void definitions.refetch()} />
  ) : definitions.data ? undefined : (
    <Loading what="what this kind asks for" />
  );
  return (
    <AuthorityForm
      kind={definitions.data ? kind : undefined}
      definitions={definitions.data ?? []}
      instead={instead}
      kindField={
        <Radio.Group
          label="Kind"
          description="What the authority is and which connector speaks with it."
          required
          value={kind ? keyOf(kind) : null}
          onChange={setChosen}
        >
          <Stack gap="sm" mt="xs">
            {kinds.map((each) => (
              <Radio
                key={keyOf(each)}
                value={keyOf(each)}
                label={each.kind}
                description={`By ${each.connectorName}. ${each.address}.`}
              />
            ))}
          </Stack>
        </Radio.Group>
      }
    />
  );
}
