// Details of a token profile: its usages, settings, token and keys.
import { Anchor, Text } from '@mantine/core';
import type { TokenProfileDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { identifierFact, linkFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { keyFilter } from '../../queries/key-search.ts';
import { keyCountQuery } from '../../queries/keys.ts';
import { tokenProfileDefinitionsQuery, tokenProfileQuery } from '../../queries/tokens.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { TokenState } from '../tokens/state.tsx';
import { useTokenProfilePath } from './token-profile-path.ts';
import { TokenProfileActions } from './token-profile-actions.tsx';
import { describeUsages } from './usages.tsx';

export function TokenProfilePage() {
  return (
    <ObjectPage
      query={useQuery(tokenProfileQuery(useTokenProfilePath()))}
      what="the token profile"
      parent={{ to: paths.tokenProfiles.list, label: 'Token profiles' }}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      description={({ description }) => description}
      actions={(profile) => <TokenProfileActions profile={profile} />}
      main={(profile) => (
        <>
          <Panel title="Usages">
            <Facts facts={[{ name: 'Usages of new keys', value: describeUsages(profile.usages) }]} />
            <Text size="sm" c="dimmed" mt="md">
              Each key of a pair gets the usages that are possible for it. Change the usages of a key on its own page.
            </Text>
          </Panel>
          <Settings profile={profile} />
          <CustomValues
            resource="tokenProfiles"
            uuid={profile.uuid}
            values={profile.customAttributes}
            refresh={['tokenProfiles']}
          />
        </>
      )}
      side={(profile) => <Side profile={profile} />}
    />
  );
}

/**
 * Shows the settings with the form's order and headings once the definitions are loaded. Most tokens define no
 * settings.
 */
function Settings({ profile }: { readonly profile: TokenProfileDetailDto }) {
  const { data: definitions } = useQuery(tokenProfileDefinitionsQuery(profile.tokenInstanceUuid));
  if (profile.attributes.length === 0) return null;
  return (
    <Panel title="Settings">
      <AttributeFacts values={profile.attributes} definitions={definitions} />
    </Panel>
  );
}

function Side({ profile }: { readonly profile: TokenProfileDetailDto }) {
  const { uuid, tokenInstanceUuid, tokenInstanceName, tokenInstanceStatus } = profile;
  return (
    <>
      <Panel title="Token">
        <Facts
          facts={[
            linkFact('Token', paths.tokens, { uuid: tokenInstanceUuid, name: tokenInstanceName }),
            { name: 'Status', value: <TokenState of={tokenInstanceStatus} /> },
            identifierFact(uuid),
          ]}
        />
      </Panel>
      <Keys profile={profile} />
    </>
  );
}

function Keys({ profile: { uuid, name, enabled } }: { readonly profile: TokenProfileDetailDto }) {
  const mayList = useMayList()('keys');
  const filters = [keyFilter('CK_TOKEN_PROFILE', [name])];
  const count = useQuery({ ...keyCountQuery({ filters }), enabled: mayList });
  if (!mayList) return null;
  return (
    <Panel
      title="Keys"
      actions={
        enabled && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'New',
              name: 'New key under this token profile',
              needs: [
                ['keys', 'create'],
                ['tokenProfiles', 'detail', uuid],
              ],
              to: paths.keys.newUnder(uuid),
            }}
          />
        )
      }
    >
      <QueryView of={count} what="the number of keys">
        {(items) =>
          items === 0 ? (
            <Text c="dimmed">None yet.</Text>
          ) : (
            <Anchor component={Link} to={paths.keys.list} search={{ filters } as never}>
              {formatCount(items)} {items === 1 ? 'key' : 'keys'}
            </Anchor>
          )
        }
      </QueryView>
    </Panel>
  );
}
