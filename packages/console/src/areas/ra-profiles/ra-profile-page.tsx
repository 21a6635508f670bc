// One RA profile: what certificates under it look like, where it belongs, and what else speaks for it.
import { Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { profileDefinitionsQuery } from '../../queries/authorities.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Protocols } from './protocols.tsx';
import { RaProfileActions } from './ra-profile-actions.tsx';
import { Validation } from './validation.tsx';

export function RaProfilePage() {
  const profile = useQuery(raProfileQuery(useUuid()));
  return (
    <Reading of={profile} what="the RA profile">
      {(profile) => (
        <Page
          title={profile.name}
          mark={<EnabledState enabled={profile.enabled} />}
          description={profile.description}
          parent={{ to: paths.raProfiles.list, label: 'RA profiles' }}
          actions={<RaProfileActions profile={profile} />}
        >
          <Columns
            main={
              <Panel title="Conditions">
                <Conditions profile={profile} />
              </Panel>
            }
            side={<Side profile={profile} />}
          />
        </Page>
      )}
    </Reading>
  );
}

/** The order and headings are the form's, once its definitions are here; the values do not wait for them. */
function Conditions({ profile }: { readonly profile: RaProfileDto }) {
  const { authorityInstanceUuid: authorityUuid, attributes = [] } = profile;
  const { data: definitions } = useQuery(profileDefinitionsQuery(authorityUuid));
  if (attributes.length === 0) return <Text c="dimmed">Nothing is set; the defaults of the authority apply.</Text>;
  return (
    <>
      <AttributeFacts values={attributes} definitions={definitions} />
      <Text size="sm" c="dimmed" mt="md">
        For everything else, the defaults of the authority apply.
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
            {
              name: 'Authority',
              value:
                authorityUuid === undefined ? (
                  'Removed; nothing can be issued.'
                ) : (
                  <TextLink to={paths.authorities.one(authorityUuid)}>{authorityInstanceName}</TextLink>
                ),
            },
            { name: 'Identifier', value: uuid, code: true, copy: uuid },
          ]}
        />
      </Panel>
      {authorityUuid !== undefined && (
        <>
          <Protocols profile={profile} authorityUuid={authorityUuid} />
          <Validation profile={profile} authorityUuid={authorityUuid} />
        </>
      )}
    </>
  );
}
