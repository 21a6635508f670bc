// Settings that all protocol profiles share, surrounding the protocol-specific panels.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { identifierFact } from '../../kit/facts.tsx';
import { paths } from '../../kit/paths.ts';
import { useGroups, useUsers } from '../../queries/people.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { commonValuesOf, type FormProtocol, type StoredProfile } from './use-profile-form.ts';

export interface CommonSettingsProps {
  readonly protocol: FormProtocol;
  readonly profile: StoredProfile;
  /** Additional facts about issuing. */
  readonly issuingFacts?: readonly (Fact | undefined)[];
  readonly children: ReactNode;
}

export function CommonSettings({ protocol, profile, issuingFacts = [], children }: CommonSettingsProps) {
  const values = commonValuesOf(profile);
  const { data: users } = useQuery(useUsers());
  const { data: groups } = useQuery(useGroups());
  const owner = users?.find(({ uuid }) => uuid === values.ownerUuid)?.username ?? values.ownerUuid;
  const groupNames = values.groupUuids.map((uuid) => groups?.find((each) => each.uuid === uuid)?.name ?? uuid);
  const { uuid, raProfile, certificateAssociations } = profile;
  return (
    <Stack gap="lg">
      <Panel title="Issuing">
        <Facts
          facts={[
            {
              name: 'RA profile',
              value: raProfile ? (
                <TextLink to={paths.raProfiles.one(raProfile.uuid)}>{raProfile.name}</TextLink>
              ) : (
                'none; no certificates are issued'
              ),
            },
            ...issuingFacts,
            { name: 'Certificate owner', value: owner || 'none' },
            { name: 'Certificate groups', value: groupNames.join(', ') || 'none' },
            identifierFact(uuid),
          ]}
        />
      </Panel>
      {children}
      <Values title="Authority settings for issuing" values={profile.issueCertificateAttributes} />
      <Values title="Authority settings for revoking" values={profile.revokeCertificateAttributes} />
      <Values title="Certificate custom attributes" values={certificateAssociations?.customAttributes} />
      {protocol.resource !== 'raProfiles' && (
        <CustomValues
          resource={protocol.resource}
          uuid={uuid}
          values={profile.customAttributes && [...profile.customAttributes]}
          refresh={protocol.queryKey}
        />
      )}
    </Stack>
  );
}

function Values(props: { readonly title: string; readonly values: StoredProfile['issueCertificateAttributes'] }) {
  const { title, values = [] } = props;
  return values.length === 0 ? null : (
    <Panel title={title}>
      <AttributeFacts values={values} />
    </Panel>
  );
}
