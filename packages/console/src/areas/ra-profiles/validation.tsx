// Settings for how often a profile's certificates are validated, and when they are considered to be expiring.
import { Group, NumberInput, Radio, Stack } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';

export interface ValidationProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

const choices = {
  platform: { label: 'Platform settings', enabled: undefined },
  own: { label: 'Custom settings', enabled: true },
  never: { label: 'Never', enabled: false },
} as const;
type Choice = keyof typeof choices;

const choiceOf = (enabled: boolean | undefined): Choice =>
  enabled === undefined ? 'platform' : enabled ? 'own' : 'never';

const formatDays = (count = 0): string => (count === 1 ? '1 day' : `${count} days`);

export function Validation(props: ValidationProps) {
  const { uuid, certificateValidationSettings: settings = {} } = props.profile;
  const { enabled, frequency, expiringThreshold } = settings;
  return (
    <Panel
      title="Validation"
      actions={
        <ActionButton
          size="compact-sm"
          action={{
            label: 'Change',
            name: 'Change certificate validation',
            needs: ['raProfiles', 'update', uuid],
            dialog: ({ opened, onClose }) => opened && <ValidationDialog {...props} onClose={onClose} />,
          }}
        />
      }
    >
      <Facts
        facts={[
          { name: 'Certificate validation', value: choices[choiceOf(enabled)].label },
          { name: 'Validation interval', value: enabled ? formatDays(frequency) : undefined },
          { name: 'Expiring threshold', value: enabled ? `${formatDays(expiringThreshold)} before expiry` : undefined },
        ]}
      />
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
  const save = async (): Promise<void> => {
    await api.raProfiles.updateRaProfileValidationConfiguration({
      params: { authorityUuid, raProfileUuid: profile.uuid },
      body: {
        ...(enabled === undefined ? {} : { enabled }),
        ...(enabled ? { frequency: Number(frequency), expiringThreshold: Number(threshold) } : {}),
      },
    });
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    notify.done(`The validation settings of ${profile.name} were saved.`);
  };
  return (
    <FormDialog
      title={`Validation of certificates under ${profile.name}`}
      submitLabel="Save"
      onClose={onClose}
      isReady={choice !== 'own' || (Number(frequency) >= 1 && Number(threshold) >= 1)}
      submit={save}
    >
      <Radio.Group value={choice} onChange={(value) => setChoice(value as Choice)} label="Certificate validation">
        <Stack gap="xs" mt="xs">
          {Object.entries(choices).map(([value, { label }]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === 'own' && (
        <Group grow align="flex-end">
          <NumberInput
            label="Validation interval (days)"
            min={1}
            allowDecimal={false}
            value={frequency}
            onChange={setFrequency}
          />
          <NumberInput
            label="Expiring threshold (days before expiry)"
            min={1}
            allowDecimal={false}
            value={threshold}
            onChange={setThreshold}
          />
        </Group>
      )}
    </FormDialog>
  );
}
