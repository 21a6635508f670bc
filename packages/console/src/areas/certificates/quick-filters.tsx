// The most frequently used filters, shown as chips. Filters for the same field are alternatives; filters for different
// fields are combined.
import { Chip, Group } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { EXPIRES_SOON_DAYS } from './expires-soon.ts';
import { expiresWithinDays, inStates, statesIn } from './filters.ts';
import { stateTexts } from './texts.ts';

export interface FiltersProps {
  readonly filters: readonly SearchFilterRequestDto[];
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
}

const STATES = ['issued', 'failed', 'revoked'] as const;
const endsSoon = expiresWithinDays(EXPIRES_SOON_DAYS);

const isSame = (a: SearchFilterRequestDto, b: SearchFilterRequestDto): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Returns whether the chips show a filter, so that it is not listed separately. */
export const isQuickFilter = (filter: SearchFilterRequestDto): boolean =>
  isSame(filter, endsSoon) || (statesIn(filter)?.every((state) => STATES.some((each) => each === state)) ?? false);

export function QuickFilters({ filters, onChange }: FiltersProps) {
  const ofStates = filters.find((filter) => isQuickFilter(filter) && statesIn(filter));
  const states = (ofStates && statesIn(ofStates)) ?? [];
  const toggleState = (state: string): void => {
    const next = states.includes(state) ? states.filter((each) => each !== state) : [...states, state];
    const others = filters.filter((each) => each !== ofStates);
    onChange(next.length === 0 ? others : [...others, inStates(next)]);
  };
  const isSoon = filters.some((each) => isSame(each, endsSoon));
  return (
    <Group gap="xs">
      {STATES.map((state) => (
        <QuickFilter
          key={state}
          label={stateTexts[state]}
          isOn={states.includes(state)}
          onToggle={() => toggleState(state)}
        />
      ))}
      <QuickFilter
        label={`Expires within ${EXPIRES_SOON_DAYS} days`}
        isOn={isSoon}
        onToggle={() => onChange(isSoon ? filters.filter((each) => !isSame(each, endsSoon)) : [...filters, endsSoon])}
      />
    </Group>
  );
}

interface QuickFilterProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function QuickFilter({ label, isOn, onToggle }: QuickFilterProps) {
  return (
    <Chip size="xs" variant="outline" checked={isOn} onChange={onToggle}>
      {label}
    </Chip>
  );
}
