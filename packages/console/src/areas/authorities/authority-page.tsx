// Page for a single authority: its CA certificates, settings and RA profiles.
import { Text } from '@mantine/core';
import type { AuthorityInstanceDto, RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { ActionButton, Actions } from '../../kit/actions.tsx';
import { identifierFact, linkFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { QueryLike } from '../../kit/query-view.tsx';
import { RelatedList, filterRows } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { authorityQuery } from '../../queries/authorities.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { api } from '../../api/client.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { RenewalLimitPanel } from '../expiry/renewal-limit.tsx';
import { CaCertificates } from './ca-certificates.tsx';
import { kindOf } from './kinds.ts';
import { AuthorityState } from './state.tsx';
import { TokenKey, SigningProblem } from './token-key.tsx';

export function AuthorityPage() {
  const uuid = useUuid();
  const raProfiles = filterRows(useQuery(raProfileListQuery), (profile) => profile.authorityInstanceUuid === uuid);
  return (
    <ObjectPage
      query={useQuery(authorityQuery(uuid))}
      what="the authority"
      parent={{ to: paths.authorities.list, label: 'Authorities' }}
      mark={({ status }) => <AuthorityState of={status} />}
      actions={(authority) => <AuthorityActions authority={authority} raProfiles={raProfiles.data ?? []} />}
      main={(authority) => (
        <>
          <SigningProblem authority={authority} />
          {authority.connectorUuid !== undefined && <CaCertificates authorityUuid={uuid} raProfiles={raProfiles} />}
          <Panel title="Settings">
            <Settings authority={authority} />
          </Panel>
          <CustomValues
            resource="authorities"
            uuid={uuid}
            values={authority.customAttributes}
            refresh={['authorities']}
          />
        </>
      )}
      side={(authority) => <Side authority={authority} raProfiles={raProfiles} />}
    />
  );
}

/** Uses the order and headings of the form once the definitions are loaded. */
function Settings({ authority }: { readonly authority: AuthorityInstanceDto }) {
  const connectors = useQuery(connectorListQuery);
  const definitions = useQuery(kindDefinitionsQuery(kindOf(authority, connectors.data ?? [])));
  if (authority.attributes.length > 0)
    return <AttributeFacts values={authority.attributes} definitions={definitions.data} />;
  return (
    <Text c="dimmed">
      {authority.connectorUuid === undefined
        ? 'The settings were removed together with the connector.'
        : 'No settings. The connector defaults apply.'}
    </Text>
  );
}

interface SideProps {
  readonly authority: AuthorityInstanceDto;
  readonly raProfiles: QueryLike<readonly RaProfileDto[]>;
}

function Side({ authority, raProfiles }: SideProps) {
  const { uuid, kind, connectorUuid, connectorName } = authority;
  return (
    <>
      <RelatedList
        title="RA profiles"
        query={raProfiles}
        what="RA profiles"
        linkOf={(profile) => paths.raProfiles.one(profile.uuid)}
        mark={({ enabled }) => <EnabledState enabled={enabled} />}
        empty="No RA profiles yet. Create one to issue certificates."
        actions={
          connectorUuid !== undefined && (
            <ActionButton
              size="compact-sm"
              action={{
                label: 'New',
                name: 'New RA profile for this authority',
                needs: [
                  ['raProfiles', 'create'],
                  ['authorities', 'detail', uuid],
                ],
                to: paths.raProfiles.newOf(uuid),
              }}
            />
          )
        }
      />
      <TokenKey authority={authority} />
      <RenewalLimitPanel authorityUuid={uuid} />
      <Panel title="Connector">
        <Facts
          facts={[
            linkFact('Connector', paths.connectors, { uuid: connectorUuid, name: connectorName }),
            { name: 'Kind', value: kind },
            identifierFact(uuid),
          ]}
        />
      </Panel>
    </>
  );
}

interface AuthorityActionsProps {
  readonly authority: AuthorityInstanceDto;
  /** RA profiles of this authority. */
  readonly raProfiles: readonly RaProfileDto[];
}

function AuthorityActions({ authority, raProfiles }: AuthorityActionsProps) {
  const { uuid, name, connectorUuid } = authority;
  return (
    <Actions
      actions={[
        connectorUuid !== undefined && editAction(paths.authorities.edit(uuid), ['authorities', 'update', uuid]),
        removeAction({
          name,
          needs: ['authorities', 'delete', uuid],
          remove: () => api.authorities.deleteAuthorityInstance({ params: { uuid } }),
          consequence:
            'The authority is also removed from its connector. If the connector holds the CA key, the CA can no longer sign certificates or CRLs. Issued certificates stay in the inventory.',
          force: {
            consequence:
              'Dependent objects are kept, but can no longer be used to issue certificates. The authority is removed here even if its connector rejects the removal. This cannot be undone.',
            remove: () => api.authorities.forceDeleteAuthorityInstances({ body: [uuid] }),
            dependents: raProfiles.map((profile) => ({ name: profile.name, to: paths.raProfiles.one(profile.uuid) })),
          },
          list: paths.authorities.list,
          queryKey: authorityQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
