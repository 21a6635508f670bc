// The protocols that issue certificates under this RA profile.
import { Stack, Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useMayList } from '../../api/session.ts';
import { paths } from '../../kit/paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useAcmeUsers } from './acme-users.ts';
import { raProfileAcmeQuery } from '../../queries/ra-profiles.ts';
import { ServeAcme } from './serve-acme.tsx';
import { StopAcme } from './stop-acme.tsx';

export interface ProtocolsProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function Protocols({ profile, authorityUuid }: ProtocolsProps) {
  const mayList = useMayList();
  const { data: acme } = useQuery(raProfileAcmeQuery({ authorityUuid, raProfileUuid: profile.uuid }));
  const others = (profile.enabledProtocols ?? []).filter((name) => name !== 'ACME');
  return (
    <Panel
      title="Protocols"
      actions={
        acme?.acmeAvailable ? (
          <StopAcme profile={profile} authorityUuid={authorityUuid} />
        ) : (
          // Without permission to list ACME profiles, there is none to choose.
          acme && mayList('acmeProfiles') && <ServeAcme profile={profile} authorityUuid={authorityUuid} />
        )
      }
    >
      <Stack gap="sm">
        <Facts
          facts={[
            {
              name: 'ACME',
              value: acme?.acmeAvailable ? <State tone="good">Served</State> : <State tone="none">Not served</State>,
            },
            {
              name: 'ACME profile',
              value: acme?.acmeAvailable ? <TextLink to={paths.acme.one(acme.uuid)}>{acme.name}</TextLink> : undefined,
            },
            {
              name: 'Directory',
              value: acme?.directoryUrl,
              code: true,
              ...(acme?.directoryUrl ? { copy: acme.directoryUrl } : {}),
            },
            { name: 'Other protocols', value: others.join(', ') },
          ]}
        />
        <AcmeUsers raProfileUuid={profile.uuid} isServed={acme?.acmeAvailable === true} />
      </Stack>
    </Panel>
  );
}

function AcmeUsers({ raProfileUuid, isServed }: { readonly raProfileUuid: string; readonly isServed: boolean }) {
  const users = useAcmeUsers(raProfileUuid);
  if (users.length === 0 && isServed) return null;
  if (users.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No{' '}
        <TextLink inSentence to={paths.acme.list}>
          ACME profile
        </TextLink>{' '}
        uses this RA profile.
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {users.length === 1 ? 'Used by the ACME profile' : 'Used by the ACME profiles'}{' '}
      {users.map(({ uuid, name }, index) => (
        <Fragment key={uuid}>
          {index > 0 && ', '}
          <TextLink inSentence to={paths.acme.one(uuid)}>
            {name}
          </TextLink>
        </Fragment>
      ))}
    </Text>
  );
}
