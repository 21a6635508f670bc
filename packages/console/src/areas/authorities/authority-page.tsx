// One authority: how long its certificates live, how it is set up, and the RA profiles that issue there.
import { Button, Group, List, Text } from '@mantine/core';
import type { AuthorityInstanceDto, RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../connectors/queries.ts';
import { raProfileListQuery } from '../ra-profiles/queries.ts';
import { RaProfileState } from '../ra-profiles/state.tsx';
import { AuthorityActions } from './authority-actions.tsx';
import { CaCertificates } from './ca-certificates.tsx';
import { kindsOf } from './kinds.ts';
import { authorityQuery } from './queries.ts';
import { AuthorityState } from './state.tsx';

const route = getRouteApi('/authorities/$uuid');

export function AuthorityPage() {
  const { uuid } = route.useParams();
  const { data: authority, error, refetch } = useQuery(authorityQuery(uuid));
  const raProfiles = useQuery(raProfileListQuery);
  if (!authority)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the authority" />;
  const profiles = raProfiles.data?.filter(({ authorityInstanceUuid }) => authorityInstanceUuid === uuid);
  const { connectorUuid, connectorName, kind } = authority;
  return (
    <Page
      title={authority.name}
      mark={<AuthorityState status={authority.status} />}
      parent={{ to: paths.authorities, label: 'Authorities' }}
      actions={<AuthorityActions authority={authority} />}
    >
      <Columns
        main={
          <>
            {connectorUuid !== undefined && (
              <CaCertificates
                authorityUuid={uuid}
                raProfileUuid={(profiles?.find(({ enabled }) => enabled) ?? profiles?.[0])?.uuid}
                isLoading={raProfiles.isPending}
              />
            )}
            <Panel title="How it is set up">
              <Settings authority={authority} />
            </Panel>
          </>
        }
        side={
          <>
            <RaProfiles
              authorityUuid={uuid}
              profiles={profiles}
              error={raProfiles.error}
              canIssue={connectorUuid !== undefined}
            />
            <Panel title="Where it lives">
              <Facts
                facts={[
                  {
                    name: 'Connector',
                    value:
                      connectorUuid === undefined ? (
                        'It was removed; nothing can be issued.'
                      ) : (
                        <TextLink to={paths.connector(connectorUuid)}>{connectorName}</TextLink>
                      ),
                  },
                  { name: 'Kind', value: kind },
                  { name: 'Identifier', value: uuid, code: true, copy: uuid },
                ]}
              />
            </Panel>
          </>
        }
      />
    </Page>
  );
}

/** The order and headings are the form's, once its definitions are here. */
function Settings({ authority }: { readonly authority: AuthorityInstanceDto }) {
  const connectors = useQuery(connectorListQuery);
  const kind = kindsOf(connectors.data ?? []).find(
    (each) => each.connectorUuid === authority.connectorUuid && each.kind === authority.kind,
  );
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (authority.attributes.length === 0)
    return (
      <Text c="dimmed">
        {authority.connectorUuid === undefined
          ? 'The connector knew it.'
          : 'Everything is as the connector does it by itself.'}
      </Text>
    );
  return <AttributeFacts values={authority.attributes} definitions={definitions.data} />;
}

function RaProfiles(props: {
  readonly authorityUuid: string;
  readonly profiles: readonly RaProfileDto[] | undefined;
  readonly error: unknown;
  /** There is a connector that speaks with it. */
  readonly canIssue: boolean;
}) {
  const { authorityUuid, profiles, error, canIssue } = props;
  return (
    <Panel
      title="RA profiles"
      actions={
        canIssue && (
          <Button size="compact-sm" variant="default" component={Link} to={paths.newRaProfileOf(authorityUuid)}>
            New<span className="visually-hidden"> RA profile of this authority</span>
          </Button>
        )
      }
    >
      {error && !profiles ? (
        <Failure error={error} />
      ) : !profiles ? (
        <Loading what="RA profiles" />
      ) : profiles.length === 0 ? (
        <Text c="dimmed">None yet, so nothing can be issued here: an RA profile says under which conditions.</Text>
      ) : (
        <List
          listStyleType="none"
          spacing="xs"
          styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
        >
          {profiles.map(({ uuid, name, enabled }) => (
            <List.Item key={uuid}>
              <Group justify="space-between" gap="xs">
                <TextLink to={paths.raProfile(uuid)}>{name}</TextLink>
                <RaProfileState enabled={enabled} />
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  );
}
