// Filters of the delivery list.
import { Select } from '@mantine/core';
import { ResourceEvent } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { SearchChange } from '../../kit/use-list-search.ts';
import { DELIVERY_STATES, readDeliverySearch, type DeliverySearch } from '../../queries/notification-deliveries.ts';
import { notificationInstanceListQuery } from '../../queries/notification-instances.ts';
import { describeEvent } from '../notifications/texts.ts';
import classes from './deliveries.module.css';
import { deliveryTexts } from './state.tsx';

export interface FiltersProps {
  readonly search: DeliverySearch;
  readonly onChange: (change: SearchChange<DeliverySearch>) => void;
}

type Field = 'state' | 'provider' | 'event' | 'within';
interface Option {
  readonly value: string;
  readonly label: string;
}

const states = DELIVERY_STATES.map((value) => ({ value, label: deliveryTexts[value] }));
const events = ResourceEvent.options.map((value) => ({ value, label: describeEvent(value) }));
const periods = [
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
];

export function Filters({ search, onChange }: FiltersProps) {
  const { data = [] } = useQuery(notificationInstanceListQuery);
  const providers = data.map(({ uuid, name }) => ({ value: uuid, label: name }));
  const choice = (label: string, field: Field, options: readonly Option[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      className={classes.choice}
      clearable
      searchable
      nothingFoundMessage="Nothing found"
      data={[...options]}
      value={search[field] ?? null}
      onChange={(value) => onChange({ [field]: readDeliverySearch({ [field]: value })[field] })}
    />
  );
  return (
    <>
      {choice('Any state', 'state', states)}
      {choice('Any provider', 'provider', providers)}
      {choice('Any event', 'event', events)}
      {choice('Any time', 'within', periods)}
    </>
  );
}
