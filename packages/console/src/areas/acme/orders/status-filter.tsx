// Which orders are shown: all, or those in one state.
import { Chip, Group } from '@mantine/core';
import type { AcmeOrderStatus } from '@signetry/contract';
import { ORDER_STATUSES } from '../../../queries/order-search.ts';
import { orderStates } from './order-state.tsx';

const ALL = 'all';

export interface StatusFilterProps {
  readonly status: AcmeOrderStatus | undefined;
  readonly onChange: (status: AcmeOrderStatus | undefined) => void;
}

export function StatusFilter({ status, onChange }: StatusFilterProps) {
  const options = [
    { value: ALL, label: 'All' },
    ...ORDER_STATUSES.map((value) => ({ value, label: orderStates[value][1] })),
  ];
  return (
    <Chip.Group value={status ?? ALL} onChange={(value) => onChange(ORDER_STATUSES.find((each) => each === value))}>
      <Group gap="xs" role="radiogroup" aria-label="Order state">
        {options.map(({ value, label }) => (
          <Chip key={value} value={value} size="xs" variant="outline">
            {label}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
