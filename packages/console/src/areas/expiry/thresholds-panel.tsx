// Number of days before expiry at which notifications are sent: for the platform, an RA profile or a group.
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import type { ExpiryThresholds } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { thresholdsQuery, type ThresholdHolder } from '../../queries/expiry.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { daysOf, describeThresholds } from './thresholds.ts';

interface Props {
  readonly holder: ThresholdHolder;
}

export function ThresholdsPanel({ holder }: Props) {
  const query = useQuery(thresholdsQuery(holder));
  return (
    <Panel
      title="Expiry notifications"
      actions={
        query.data && (
          <ActionButton
            size={holder.kind === 'platform' ? 'xs' : 'compact-sm'}
            action={{
              label: 'Change',
              name: 'Change expiry notification thresholds',
              needs: holder.kind === 'platform' ? ['settings', 'update'] : [holder.kind, 'update', holder.uuid],
              dialog: ({ opened, onClose }) =>
                opened && <ThresholdsDialog holder={holder} thresholds={query.data} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <QueryView of={query} what="the thresholds">
        {({ days, inherited }) => (
          <Facts
            facts={[
              { name: 'Notify', value: describeThresholds(days) },
              { name: 'Source', value: inherited ? 'Platform settings' : undefined },
            ]}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const explanations = {
  platform: 'RA profiles and groups can override these thresholds.',
  raProfiles: 'Apply to certificates of this RA profile, in addition to the thresholds of their groups.',
  groups: 'Apply to certificates in this group, in addition to the thresholds of their RA profile.',
} as const;

interface DialogProps extends Props {
  readonly thresholds: ExpiryThresholds;
  readonly onClose: () => void;
}

function ThresholdsDialog({ holder, thresholds, onClose }: DialogProps) {
  const [source, setSource] = useState(thresholds.inherited ? 'platform' : 'own');
  const [text, setText] = useState(thresholds.days.join(', '));
  const queries = useQueryClient();
  const isOwn = holder.kind === 'platform' || source === 'own';
  const days = daysOf(text);
  const submit = async (): Promise<void> => {
    await (isOwn ? set(holder, days ?? []) : inherit(holder));
    await queries.invalidateQueries({ queryKey: ['settings', 'expiry'] });
  };
  return (
    <FormDialog
      title="Expiry notifications"
      submitLabel="Save"
      onClose={onClose}
      isReady={!isOwn || days !== undefined}
      submit={submit}
    >
      {holder.kind !== 'platform' && (
        <Radio.Group value={source} onChange={setSource} label="Thresholds">
          <Stack gap="xs" mt="xs">
            <Radio value="platform" label="Use the platform thresholds" />
            <Radio value="own" label="Set custom thresholds" />
          </Stack>
        </Radio.Group>
      )}
      {isOwn && (
        <TextInput
          label="Days before expiry"
          description="One notification is sent per threshold and certificate, unless the certificate has been replaced. Leave empty to send none."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={days === undefined ? 'Enter up to 20 whole numbers from 1 to 3650, separated by commas' : undefined}
        />
      )}
      <Text size="sm" c="dimmed">
        {explanations[holder.kind]}
      </Text>
    </FormDialog>
  );
}

function set(holder: ThresholdHolder, days: number[]): Promise<unknown> {
  const body = { days };
  if (holder.kind === 'platform') return api.expiryThresholds.setExpiryThresholds({ body });
  return holder.kind === 'groups'
    ? api.groupExpiryThresholds.setGroupExpiryThresholds({ params: { groupUuid: holder.uuid }, body })
    : api.raProfileExpiryThresholds.setRaProfileExpiryThresholds({ params: { raProfileUuid: holder.uuid }, body });
}

async function inherit(holder: ThresholdHolder): Promise<void> {
  if (holder.kind === 'groups')
    await api.groupExpiryThresholds.inheritGroupExpiryThresholds({ params: { groupUuid: holder.uuid } });
  if (holder.kind === 'raProfiles')
    await api.raProfileExpiryThresholds.inheritRaProfileExpiryThresholds({ params: { raProfileUuid: holder.uuid } });
}
