// Page for a single end entity: the contents of its certificates, and whether it can request a certificate.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { linkFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { endEntityQuery, type EndEntity } from '../../queries/end-entities.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EndEntityActions } from './end-entity-actions.tsx';
import { WithRaProfile, useUsername } from './with-ra-profile.tsx';
import { EndEntityState } from './state.tsx';

export const EndEntityPage = () => <WithRaProfile>{(profile) => <EndEntityDetails profile={profile} />}</WithRaProfile>;

function EndEntityDetails({ profile }: { readonly profile: RaProfileDto }) {
  const username = useUsername();
  return (
    <ObjectPage
      query={useQuery(endEntityQuery({ raProfileName: profile.name, username }))}
      what="the end entity"
      parent={{ to: paths.raProfiles.endEntities(profile.uuid).list, label: 'End entities' }}
      mark={({ status }) => <EndEntityState of={status} />}
      actions={(entity) => <EndEntityActions profile={profile} entity={entity} />}
      main={(entity) => <Names entity={entity} />}
      side={() => (
        <Panel title="RA profile">
          <Facts
            facts={[
              linkFact('RA profile', paths.raProfiles, profile),
              linkFact('Authority', paths.authorities, {
                uuid: profile.authorityInstanceUuid,
                name: profile.authorityInstanceName,
              }),
            ]}
          />
        </Panel>
      )}
    />
  );
}

function Names({ entity: { subjectDN, subjectAltName, email, extensionData = [] } }: { readonly entity: EndEntity }) {
  return (
    <Panel title="Certificate contents">
      <Facts
        facts={[
          { name: 'Subject', value: subjectDN },
          { name: 'Subject alternative names', value: subjectAltName || 'none' },
          { name: 'Email', value: email },
          { name: 'Extension data', value: extensionData.map(({ name, value }) => `${name}: ${value}`).join('\n') },
        ]}
      />
    </Panel>
  );
}
