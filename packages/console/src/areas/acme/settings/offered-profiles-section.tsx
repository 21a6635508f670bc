// RA profiles that clients can select by name.
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { issuingProfilesQuery } from '../../../queries/ra-profiles.ts';
import { FormSection } from '../../../ui/form-section.tsx';

import type { SectionProps } from './section.ts';
import type { OfferValues } from './setting-table.tsx';

const emptyOffer: OfferValues = { name: '', description: '', raProfileUuid: '' };

export function OfferedProfilesSection({ form }: SectionProps) {
  const { offeredProfiles } = form.values;
  const change = (offers: readonly OfferValues[]) => form.set('offeredProfiles', offers);
  const problem = form.problemOf('offeredProfiles');
  return (
    <FormSection
      title="Client-selectable profiles"
      description="Clients can select one of these names in an order to get a certificate under its RA profile instead of the one above."
    >
      {offeredProfiles.map((offer, at) => (
        <OfferFields
          // Entries have no identifier; they are only added at the end.
          // oxlint-disable-next-line react/no-array-index-key -- as just said
          key={at}
          position={at + 1}
          offer={offer}
          onChange={(changed) => change(offeredProfiles.with(at, changed))}
          onRemove={() => change(offeredProfiles.toSpliced(at, 1))}
        />
      ))}
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size="1rem" />}
          onClick={() => change([...offeredProfiles, emptyOffer])}
        >
          Add profile
        </Button>
      </Group>
    </FormSection>
  );
}

interface OfferFieldsProps {
  readonly position: number;
  readonly offer: OfferValues;
  readonly onChange: (offer: OfferValues) => void;
  readonly onRemove: () => void;
}

function OfferFields({ position, offer, onChange, onRemove }: OfferFieldsProps) {
  const raProfiles = useQuery(issuingProfilesQuery);
  return (
    <Stack gap="xs" role="group" aria-label={`Profile ${position}`}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="Name"
          placeholder="short-lived"
          value={offer.name}
          onChange={(event) => onChange({ ...offer, name: event.currentTarget.value })}
        />
        <Select
          flex={1}
          label="RA profile"
          placeholder={raProfiles.isPending ? 'Loading…' : 'Select an RA profile'}
          searchable
          data={raProfiles.data?.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
          value={offer.raProfileUuid || null}
          onChange={(value) => onChange({ ...offer, raProfileUuid: value ?? '' })}
        />
        <ActionIcon variant="default" size="input-sm" aria-label={`Remove profile ${position}`} onClick={onRemove}>
          <IconTrash size="1rem" />
        </ActionIcon>
      </Group>
      <TextInput
        label="Description"
        placeholder="Shown to users who set up a client"
        value={offer.description}
        onChange={(event) => onChange({ ...offer, description: event.currentTarget.value })}
      />
    </Stack>
  );
}
