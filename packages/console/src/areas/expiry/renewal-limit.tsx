// Maximum number of automatic renewals per hour for an authority.
import { NumberInput, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { renewalLimitQuery } from '../../queries/expiry.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';

interface Props {
  readonly authorityUuid: string;
}

export function RenewalLimitPanel({ authorityUuid }: Props) {
  const query = useQuery(renewalLimitQuery(authorityUuid));
  return (
    <Panel
      title="Automatic renewals"
      actions={
        query.data && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Change',
              name: 'Change the automatic renewal limit',
              needs: ['authorities', 'update', authorityUuid],
              dialog: ({ opened, onClose }) =>
                opened && <LimitDialog authorityUuid={authorityUuid} perHour={query.data.perHour} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <QueryView of={query} what="the limit">
        {({ perHour }) => (
          <Facts
            facts={[{ name: 'Maximum in any hour', value: perHour === undefined ? 'No limit' : formatCount(perHour) }]}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const USUAL = 100;
const MOST = 1_000_000;

interface DialogProps extends Props {
  readonly perHour: number | undefined;
  readonly onClose: () => void;
}

function LimitDialog({ authorityUuid, perHour, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [isLimited, setLimited] = useState(perHour !== undefined);
  const [count, setCount] = useState<number | string>(perHour ?? USUAL);
  const submit = async (): Promise<void> => {
    const body = isLimited ? { perHour: Number(count) } : {};
    await api.renewalLimits.setRenewalLimit({ params: { authorityUuid }, body });
    await queries.invalidateQueries({ queryKey: ['authorities', 'renewalLimit'] });
  };
  return (
    <FormDialog
      title="Automatic renewals"
      submitLabel="Save"
      onClose={onClose}
      isReady={!isLimited || (Number(count) >= 1 && Number(count) <= MOST)}
      submit={submit}
    >
      <Switch
        label="Limit automatic renewals"
        description="Renewals requested by users and ACME clients do not count."
        checked={isLimited}
        onChange={(event) => setLimited(event.currentTarget.checked)}
      />
      {isLimited && (
        <NumberInput
          label="Maximum in any hour"
          min={1}
          max={MOST}
          allowDecimal={false}
          value={count}
          onChange={setCount}
        />
      )}
    </FormDialog>
  );
}
