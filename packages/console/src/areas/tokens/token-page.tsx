// Details of a token: whether it is usable, its settings, its profiles and its keys.
import { Text } from '@mantine/core';
import type { TokenInstanceDetailDto, TokenProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { QueryLike } from '../../kit/query-view.tsx';
import { RelatedList, filterRows } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { tokenProfileListQuery, tokenQuery } from '../../queries/tokens.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { KeysOfToken } from './keys-of-token.tsx';
import { kindOf } from './kinds.ts';
import { hasMetadata, Metadata } from './metadata.tsx';
import { TokenState } from './state.tsx';
import { StatusPanel } from './status-panel.tsx';
import { TokenActions } from './token-actions.tsx';

export function TokenPage() {
  const uuid = useUuid();
  const profiles = filterRows(useQuery(tokenProfileListQuery), (profile) => profile.tokenInstanceUuid === uuid);
  return (
    <ObjectPage
      query={useQuery(tokenQuery(uuid))}
      what="the token"
      parent={{ to: paths.tokens.list, label: 'Tokens' }}
      mark={({ status }) => <TokenState of={status.status} />}
      actions={(token) => <TokenActions token={token} profiles={profiles.data ?? []} />}
      main={(token) => <Main token={token} />}
      side={(token) => <Side token={token} profiles={profiles} />}
    />
  );
}

function Main({ token }: { readonly token: TokenInstanceDetailDto }) {
  const { uuid, connectorUuid, metadata, customAttributes } = token;
  return (
    <>
      {connectorUuid === undefined && (
        <Callout tone="bad" title="Its connector was removed">
          Keys in the token cannot be used. They remain listed with their last known details.
        </Callout>
      )}
      <StatusPanel token={token} />
      <Panel title="Settings">
        <Settings token={token} />
      </Panel>
      {hasMetadata(metadata) && (
        <Panel title="Metadata">
          <Metadata metadata={metadata} />
        </Panel>
      )}
      <CustomValues resource="tokens" uuid={uuid} values={customAttributes} refresh={['tokens']} />
    </>
  );
}

/** Shows the settings with the form's order and headings once the definitions are loaded. */
function Settings({ token }: { readonly token: TokenInstanceDetailDto }) {
  const mayList = useMayList();
  const connectors = useQuery({ ...connectorListQuery, enabled: mayList('connectors') });
  const definitions = useQuery(kindDefinitionsQuery(kindOf(token, connectors.data ?? [])));
  if (token.attributes.length > 0) return <AttributeFacts values={token.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">No settings. The connector defaults apply.</Text>;
}

interface SideProps {
  readonly token: TokenInstanceDetailDto;
  readonly profiles: QueryLike<readonly TokenProfileDto[]>;
}

function Side({ token: { uuid, name, kind, connectorUuid, connectorName }, profiles }: SideProps) {
  return (
    <>
      <RelatedList
        title="Token profiles"
        query={profiles}
        what="token profiles"
        linkOf={(profile) => paths.tokenProfiles.of(uuid).one(profile.uuid)}
        mark={({ enabled }) => <EnabledState enabled={enabled} />}
        empty="No token profiles yet. Add one to create keys."
        actions={
          connectorUuid !== undefined && (
            <ActionButton
              size="compact-sm"
              action={{
                label: 'New',
                name: 'New token profile for this token',
                needs: [
                  ['tokenProfiles', 'create'],
                  ['tokens', 'detail', uuid],
                ],
                to: paths.tokenProfiles.newOf(uuid),
              }}
            />
          )
        }
      />
      <KeysOfToken token={{ uuid, name, isReachable: connectorUuid !== undefined }} />
      <Panel title="Connector">
        <Facts
          facts={[
            {
              name: 'Connector',
              value:
                connectorUuid === undefined ? (
                  'Removed'
                ) : (
                  <TextLink to={paths.connectors.one(connectorUuid)}>{connectorName}</TextLink>
                ),
            },
            { name: 'Kind', value: describeKind(kind) },
            identifierFact(uuid),
          ]}
        />
      </Panel>
    </>
  );
}
