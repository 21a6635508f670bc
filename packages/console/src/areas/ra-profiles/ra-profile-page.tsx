// Page for a single RA profile: its conditions, its authority, its protocols, and the validation of its certificates.
import { Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { identifierFact, linkFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { profileDefinitionsQuery } from '../../queries/authorities.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { ThresholdsPanel } from '../expiry/thresholds-panel.tsx';
import { AutomationPanel } from '../workflows/automation-panel.tsx';
import { Approval } from './approval.tsx';
import { Protocols } from './protocols.tsx';
import { RaProfileActions } from './ra-profile-actions.tsx';
import { Renewal } from './renewal.tsx';
import { Validation } from './validation.tsx';

export function RaProfilePage() {
  return (
    <ObjectPage
      query={useQuery(raProfileQuery(useUuid()))}
      what="the RA profile"
      parent={{ to: paths.raProfiles.list, label: 'RA profiles' }}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      description={({ description }) => description}
      actions={(profile) => <RaProfileActions profile={profile} />}
      main={(profile) => (
        <>
          <Panel title="Conditions">
            <Conditions profile={profile} />
          </Panel>
          <CustomValues
            resource="raProfiles"
            uuid={profile.uuid}
            values={profile.customAttributes}
            refresh={['raProfiles']}
            {...(profile.authorityInstanceUuid !== undefined && {
              needs: ['authorities', 'detail', profile.authorityInstanceUuid],
            })}
          />
          <AutomationPanel resource="raProfiles" uuid={profile.uuid} />
        </>
      )}
      side={(profile) => <Side profile={profile} />}
    />
  );
}

/**
 * Shows the values immediately. Once the definitions are loaded, the values are shown in the form's order and under its
 * headings.
 */
function Conditions({ profile }: { readonly profile: RaProfileDto }) {
  const { authorityInstanceUuid: authorityUuid, attributes = [] } = profile;
  const { data: definitions } = useQuery(profileDefinitionsQuery(authorityUuid));
  if (attributes.length === 0) return <Text c="dimmed">No conditions; the authority’s defaults apply.</Text>;
  return (
    <>
      <AttributeFacts values={attributes} definitions={definitions} />
      <Text size="sm" c="dimmed" mt="md">
        The authority’s defaults apply to everything else.
      </Text>
    </>
  );
}

function Side({ profile }: { readonly profile: RaProfileDto }) {
  const { uuid, authorityInstanceUuid: authorityUuid, authorityInstanceName } = profile;
  return (
    <>
      <Panel title="Authority">
        <Facts
          facts={[
            linkFact('Authority', paths.authorities, { uuid: authorityUuid, name: authorityInstanceName }),
            identifierFact(uuid),
          ]}
        />
      </Panel>
      {authorityUuid !== undefined && (
        <>
          {profile.legacyAuthority ? (
            <Panel title="Certificates">
              <Text>
                This is a first-generation authority: it issues certificates to end entities, which are identified by
                username and password, and does not support protocols.
              </Text>
            </Panel>
          ) : (
            <Protocols profile={profile} authorityUuid={authorityUuid} />
          )}
          <Approval profile={profile} authorityUuid={authorityUuid} />
          <Renewal profile={profile} />
          <ThresholdsPanel holder={{ kind: 'raProfiles', uuid: profile.uuid }} />
          <Validation profile={profile} authorityUuid={authorityUuid} />
        </>
      )}
    </>
  );
}
