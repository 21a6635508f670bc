// Protocols by which programs get certificates under the name of this profile.
import { Stack, Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { raProfileAcmeQuery } from './queries.ts';

export interface ProtocolsProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function Protocols({ profile, authorityUuid }: ProtocolsProps) {
  const { data: acme } = useQuery(raProfileAcmeQuery({ authorityUuid, raProfileUuid: profile.uuid }));
  const others = (profile.enabledProtocols ?? []).filter((name) => name !== 'ACME');
  return (
    <Panel title="Protocols">
      <Stack gap="sm">
        <Facts
          facts={[
            {
              name: 'ACME',
              value: acme?.acmeAvailable ? (
                <State tone="good">Served</State>
              ) : (
                <State tone="none">Not served here</State>
              ),
            },
            { name: 'ACME profile', value: acme?.acmeAvailable ? acme.name : undefined },
            {
              name: 'Directory',
              value: acme?.directoryUrl,
              code: true,
              ...(acme?.directoryUrl ? { copy: acme.directoryUrl } : {}),
            },
            { name: 'Also', value: others.join(', ') },
          ]}
        />
        <Text size="sm" c="dimmed">
          Programs may also come through an <TextLink to={paths.acme}>ACME profile</TextLink> that issues under this RA
          profile.
        </Text>
      </Stack>
    </Panel>
  );
}
