// The filters that people use most, one click each. They are filters like any other and stand in the address.
import { Chip, Group } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';

interface QuickFilter {
  readonly label: string;
  readonly filter: SearchFilterRequestDto;
}

const property = (
  fieldIdentifier: string,
  condition: SearchFilterRequestDto['condition'],
  value: unknown,
): SearchFilterRequestDto => ({ fieldSource: 'property', fieldIdentifier, condition, value });

const quickFilters: readonly QuickFilter[] = [
  { label: 'Issued', filter: property('CERTIFICATE_STATE', 'EQUALS', ['issued']) },
  { label: 'Expires within 30 days', filter: property('NOT_AFTER', 'IN_NEXT', 'P30D') },
  { label: 'Failed', filter: property('CERTIFICATE_STATE', 'EQUALS', ['failed']) },
  { label: 'Revoked', filter: property('CERTIFICATE_STATE', 'EQUALS', ['revoked']) },
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
