// One connector: what it offers, how it is, and the authorities that live there.
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { authorityListQuery } from '../authorities/queries.ts';
import { ConnectorActions } from './connector-actions.tsx';
import { Health } from './health.tsx';
import { Offers } from './offers.tsx';
import { connectorQuery } from './queries.ts';
import { ConnectorState } from './state.tsx';
import { addressOf, authWords } from './words.ts';
import type { Connector } from './shapes.ts';

const route = getRouteApi('/connectors/$uuid');

export function ConnectorPage() {
  const { uuid } = route.useParams();
  const { data: connector, error, refetch } = useQuery(connectorQuery(uuid));
  if (!connector)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the connector" />;
  return (
    <Page
      title={connector.name}
      mark={<ConnectorState status={connector.status} />}
      description={addressOf(connector)}
      parent={{ to: paths.connectors, label: 'Connectors' }}
      actions={<ConnectorActions connector={connector} />}
    >
      <Columns
        main={
          <>
            {connector.status === 'waitingForApproval' && (
              <Callout tone="wait" title="It waits for approval">
                It announced itself to the platform. Until somebody approves it, nothing is asked of it.
              </Callout>
            )}
            <Panel title="What it offers">
              {connector.functionGroups.length > 0 ? (
                <Offers functionGroups={connector.functionGroups} />
              ) : (
                <Empty title="It does not answer">
                  What it offers is known once it does. Check that it runs and that the platform reaches its address.
                </Empty>
              )}
            </Panel>
          </>
        }
        side={
          <>
            <Health uuid={uuid} />
            <AuthoritiesThere uuid={uuid} />
            <Panel title="How it is reached">
              <Facts
                facts={[
                  { name: 'Address', value: addressOf(connector) },
                  { name: 'The platform signs in by', value: authWords[connector.authType] },
                ]}
              />
              <SignIn connector={connector} />
              <Facts facts={[{ name: 'Identifier', value: uuid, code: true, copy: uuid }]} />
            </Panel>
          </>
        }
      />
    </Page>
  );
}

function SignIn({ connector: { authAttributes = [] } }: { readonly connector: Connector }) {
  return authAttributes.length === 0 ? null : <AttributeFacts values={authAttributes} />;
}

function AuthoritiesThere({ uuid }: { readonly uuid: string }) {
  const { data } = useQuery(authorityListQuery);
  const authorities = data?.filter(({ connectorUuid }) => connectorUuid === uuid);
  if (!authorities) return null;
  return (
    <Panel title="Authorities there">
      {authorities.length === 0 ? (
        <Text c="dimmed">
          None yet.{' '}
          <TextLink inSentence to={paths.newAuthority}>
            Add an authority
          </TextLink>
        </Text>
      ) : (
        <List listStyleType="none" spacing="xs">
          {authorities.map((authority) => (
            <List.Item key={authority.uuid}>
              <TextLink to={paths.authority(authority.uuid)}>{authority.name}</TextLink>
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  );
}
