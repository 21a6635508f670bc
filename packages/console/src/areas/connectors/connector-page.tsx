// Page for a single connector: its functions, its health, and the authorities that use it.
import { useQuery } from '@tanstack/react-query';
import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import { ActionButton } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { RelatedList, filterRows } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { authorityListQuery } from '../../queries/authorities.ts';
import { connectorQuery } from '../../queries/connectors.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import classes from './offers.module.css';
import { ConnectorActions } from './connector-actions.tsx';
import { Health } from './health.tsx';
import { kindsOfAuthorities } from './kinds.ts';
import type { Connector, FunctionGroup } from './shapes.ts';
import { ConnectorState } from './state.tsx';
import { describeUrl, authTexts, functionGroupTexts } from './texts.ts';

export function ConnectorPage() {
  return (
    <ObjectPage
      query={useQuery(connectorQuery(useUuid()))}
      what="the connector"
      parent={{ to: paths.connectors.list, label: 'Connectors' }}
      mark={({ status }) => <ConnectorState of={status} />}
      description={describeUrl}
      actions={(connector) => <ConnectorActions connector={connector} />}
      main={(connector) => <Functions connector={connector} />}
      side={(connector) => <Side connector={connector} />}
    />
  );
}

function Functions({ connector }: { readonly connector: Connector }) {
  const { uuid, status, functionGroups, customAttributes } = connector;
  return (
    <>
      {status === 'waitingForApproval' && (
        <Callout tone="wait" title="Waiting for approval">
          This connector registered itself. The platform does not call or use it until it is approved.
        </Callout>
      )}
      <Panel title="Functions">
        {functionGroups.length > 0 ? (
          <FunctionGroups functionGroups={functionGroups} />
        ) : (
          <Empty title={status === 'waitingForApproval' ? 'Not queried yet' : 'No response yet'}>
            {status === 'waitingForApproval'
              ? 'Its functions are queried when it is approved.'
              : 'Its functions are shown once it responds. Check that it is running and that the platform can reach it.'}
          </Empty>
        )}
      </Panel>
      <CustomValues resource="connectors" uuid={uuid} values={customAttributes} refresh={['connectors']} />
    </>
  );
}

function Side({ connector }: { readonly connector: Connector }) {
  const { uuid, status, authType, authAttributes = [] } = connector;
  const offersAuthorities = kindsOfAuthorities([connector]).length > 0;
  const authorities = filterRows(useQuery(authorityListQuery), ({ connectorUuid }) => connectorUuid === uuid);
  return (
    <>
      {status !== 'waitingForApproval' && <Health uuid={uuid} />}
      <RelatedList
        title="Authorities"
        query={authorities}
        what="authorities"
        linkOf={(authority) => paths.authorities.one(authority.uuid)}
        empty={offersAuthorities ? 'None yet.' : 'None. This connector does not offer authorities.'}
        actions={
          offersAuthorities && (
            <ActionButton
              size="compact-sm"
              action={{
                label: 'New',
                name: 'New authority for this connector',
                needs: [
                  ['authorities', 'create'],
                  ['connectors', 'detail', uuid],
                ],
                to: paths.authorities.newAt(uuid),
              }}
            />
          )
        }
      />
      <Panel title="Connection">
        <Facts
          facts={[
            { name: 'Address', value: describeUrl(connector) },
            { name: 'Authentication', value: authTexts[authType] },
          ]}
        />
        {authAttributes.length > 0 && <AttributeFacts values={authAttributes} />}
        <Facts facts={[identifierFact(uuid)]} />
      </Panel>
    </>
  );
}

/** The functions of a connector: function groups with their kinds and endpoints. */
function FunctionGroups({ functionGroups }: { readonly functionGroups: readonly FunctionGroup[] }) {
  return (
    <Stack gap="xl">
      {functionGroups.map(({ functionGroupCode: code, kinds, endPoints }) => (
        <section key={code}>
          <Title order={3}>{functionGroupTexts[code].title}</Title>
          <Text c="dimmed" mt={2} mb="xs">
            {functionGroupTexts[code].text}
          </Text>
          <Group gap="xs" role="list" aria-label="Kinds">
            {kinds.map((kind) => (
              <Badge key={kind} role="listitem" variant="default" radius="sm" tt="none" fw={600}>
                {kind}
              </Badge>
            ))}
          </Group>
          {endPoints.length > 0 && (
            <details className={classes.details}>
              <summary>{endPoints.length === 1 ? '1 endpoint' : `${endPoints.length} endpoints`}</summary>
              <div className={classes.scroll}>
                <Table className={classes.endpoints} aria-label={`Endpoints for ${functionGroupTexts[code].title}`}>
                  <Table.Tbody>
                    {endPoints.map(({ name, method, context }) => (
                      <Table.Tr key={`${method} ${context}`}>
                        <Table.Td>{name}</Table.Td>
                        <Table.Td>{method}</Table.Td>
                        <Table.Td>{context}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
            </details>
          )}
        </section>
      ))}
    </Stack>
  );
}
