// One RA profile: what certificates under it look like, and beside it where it belongs and who uses it.
import { Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { profileDefinitionsQuery } from '../authorities/queries.ts';
import { Protocols } from './protocols.tsx';
import { raProfileQuery } from './queries.ts';
import { RaProfileActions } from './ra-profile-actions.tsx';
import { RaProfileState } from './state.tsx';
import { Validation } from './validation.tsx';

const route = getRouteApi('/ra-profiles/$uuid');

export function RaProfilePage() {
  const { uuid } = route.useParams();
  const { data: profile, error, refetch } = useQuery(raProfileQuery(uuid));
  if (!profile)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the RA profile" />;
  const { authorityInstanceUuid: authorityUuid } = profile;
  return (
    <Page
      title={profile.name}
      mark={<RaProfileState enabled={profile.enabled} />}
      description={profile.description}
      parent={{ to: paths.raProfiles, label: 'RA profiles' }}
      actions={<RaProfileActions profile={profile} />}
    >
      <Columns
        main={
          <Panel title="Certificates under this profile">
            <Conditions profile={profile} />
          </Panel>
        }
        side={
          <>
            <Panel title="Where it belongs">
              <Facts
                facts={[
                  {
                    name: 'Authority',
                    value:
                      authorityUuid === undefined ? (
                        'It was removed; nothing can be issued.'
                      ) : (
                        <TextLink to={paths.authority(authorityUuid)}>{profile.authorityInstanceName}</TextLink>
                      ),
                  },
                  { name: 'Identifier', value: profile.uuid, code: true, copy: profile.uuid },
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
        }
      />
    </Page>
  );
}

/** The order and headings are the form's, once its definitions are here; the values do not wait for them. */
function Conditions({ profile }: { readonly profile: RaProfileDto }) {
  const { authorityInstanceUuid: authorityUuid, attributes = [] } = profile;
  const { data: definitions } = useQuery(profileDefinitionsQuery(authorityUuid));
  if (attributes.length === 0) {
    return <Text c="dimmed">Nothing is set: the authority issues as it does by itself.</Text>;
  }
  return (
    <>
      <AttributeFacts values={attributes} definitions={definitions} />
      <Text size="sm" c="dimmed" mt="md">
        Whatever is not set here is as the authority does it by itself.
      </Text>
    </>
  );
}
