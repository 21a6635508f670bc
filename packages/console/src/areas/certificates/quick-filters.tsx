// The most frequent filters, one click each.
import { Chip, Group } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { endsWithinDays, inState } from './filters.ts';

interface QuickFilter {
  readonly label: string;
  readonly filter: SearchFilterRequestDto;
}

const quickFilters: readonly QuickFilter[] = [
  { label: 'Issued', filter: inState('issued') },
  { label: 'Expires within 30 days', filter: endsWithinDays(30) },
  { label: 'Failed', filter: inState('failed') },
  { label: 'Revoked', filter: inState('revoked') },
];

const isSame = (a: SearchFilterRequestDto, b: SearchFilterRequestDto): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export function QuickFilters(props: {
  readonly filters: readonly SearchFilterRequestDto[];
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
}) {
  const { filters, onChange } = props;
  return (
    <Group gap="xs">
      {quickFilters.map(({ label, filter }) => {
        const isOn = filters.some((each) => isSame(each, filter));
        return (
          <Chip
            key={label}
            size="xs"
            variant="outline"
            checked={isOn}
            onChange={() => onChange(isOn ? filters.filter((each) => !isSame(each, filter)) : [...filters, filter])}
          >
            {label}
          </Chip>
        );
      })}
    </Group>
  );
}
