// How often certificates of the profile are validated again, and from when on they count as expiring.
import { Button, Group, Modal, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Refusal } from '../../ui/refusal.tsx';

export interface ValidationProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

const choices = {
  platform: { label: 'By the platform settings', enabled: undefined },
  own: { label: 'By settings of its own', enabled: true },
  never: { label: 'Never', enabled: false },
} as const;
type Choice = keyof typeof choices;

const choiceOf = (enabled: boolean | undefined): Choice =>
  enabled === undefined ? 'platform' : enabled ? 'own' : 'never';

const days = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : count === 1 ? '1 day' : `${count} days`;

export function Validation({ profile, authorityUuid }: ValidationProps) {
  const [opened, dialog] = useDisclosure();
  const { enabled, frequency, expiringThreshold } = profile.certificateValidationSettings ?? {};
  return (
    <Panel
      title="Validation"
      actions={
        <Button size="compact-sm" variant="subtle" onClick={dialog.open}>
          Change<span className="visually-hidden"> how certificates are validated</span>
        </Button>
      }
    >
      <Facts
        facts={[
          { name: 'Certificates are validated', value: choices[choiceOf(enabled)].label },
          { name: 'Repeated after', value: enabled ? days(frequency) : undefined },
          {
            name: 'Counts as expiring',
            value:
              enabled && expiringThreshold !== undefined ? `from ${days(expiringThreshold)} before expiry` : undefined,
          },
        ]}
      />
      {opened && <ValidationDialog profile={profile} authorityUuid={authorityUuid} onClose={dialog.close} />}
    </Panel>
  );
}

const DEFAULT_FREQUENCY = 1;
const DEFAULT_THRESHOLD = 30;

function ValidationDialog({ profile, authorityUuid, onClose }: ValidationProps & { readonly onClose: () => void }) {
  const present = profile.certificateValidationSettings;
  const [choice, setChoice] = useState<Choice>(choiceOf(present?.enabled));
  const [frequency, setFrequency] = useState<number | string>(present?.frequency ?? DEFAULT_FREQUENCY);
  const [threshold, setThreshold] = useState<number | string>(present?.expiringThreshold ?? DEFAULT_THRESHOLD);
  const queries = useQueryClient();
  const { enabled } = choices[choice];
  const save = useMutation({
    mutationFn: () =>
      api.raProfiles.updateRaProfileValidationConfiguration({
        params: { authorityUuid, raProfileUuid: profile.uuid },
        body: {
          ...(enabled === undefined ? {} : { enabled }),
          ...(enabled ? { frequency: Number(frequency), expiringThreshold: Number(threshold) } : {}),
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['raProfiles'] });
      onClose();
      notify.done(`The validation settings of ${profile.name} were saved.`);
    },
  });
  const isReady = choice !== 'own' || (Number(frequency) >= 1 && Number(threshold) >= 1);
  return (
    <Modal opened onClose={onClose} title={<Text fw={650}>Validation of certificates under {profile.name}</Text>}>
      <Stack>
        <Radio.Group value={choice} onChange={(value) => setChoice(value as Choice)} label="Certificates are validated">
          <Stack gap="xs" mt="xs">
            {Object.entries(choices).map(([value, { label }]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        {choice === 'own' && (
          <Group grow align="flex-end">
            <NumberInput
              label="Repeat after (days)"
              min={1}
              allowDecimal={false}
              value={frequency}
              onChange={setFrequency}
            />
            <NumberInput
              label="Expiring from (days before)"
              min={1}
              allowDecimal={false}
              value={threshold}
              onChange={setThreshold}
            />
          </Group>
        )}
        <Refusal error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} disabled={!isReady} onClick={() => save.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
