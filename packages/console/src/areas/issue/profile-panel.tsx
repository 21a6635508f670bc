// Selector for the RA profile under which a certificate is issued.
import { Select, Text } from '@mantine/core';
import type { IssuingProfile } from '../../queries/ra-profiles.ts';
import { Panel } from '../../ui/panel.tsx';
import { groupedProfiles, lastProfile } from './last-profile.ts';

interface ProfilePanelProps {
  readonly profiles: readonly IssuingProfile[];
  readonly profile: IssuingProfile | undefined;
  readonly onChange: (uuid: string | undefined) => void;
}

export function ProfilePanel({ profiles, profile, onChange }: ProfilePanelProps) {
  return (
    <Panel title="1. RA profile">
      <Select
        label="RA profile"
        description="Determines the signing authority, the validity period and the allowed usages."
        data={toProfileChoices(profiles)}
        value={profile?.uuid ?? null}
        onChange={(value) => onChange(value ?? undefined)}
        searchable={profiles.length > 8}
      />
      {profile?.description && (
        <Text size="sm" c="dimmed" mt="xs">
          {profile.description}
        </Text>
      )}
    </Panel>
  );
}

/** Omits the group headings if there is only one group. */
function toProfileChoices(profiles: readonly IssuingProfile[]) {
  const groups = groupedProfiles(profiles, lastProfile()).map(({ group, profiles: grouped }) => ({
    group,
    items: grouped.map(({ uuid, name, authorityName }) => ({
      value: uuid,
      label: `${name} – signed by ${authorityName}`,
    })),
  }));
  return groups.length === 1 ? groups.flatMap(({ items }) => items) : groups;
}
