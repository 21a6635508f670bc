// Duration field: a number and a unit. The value is in seconds.
import { Group, Input, NumberInput, Select } from '@mantine/core';
import { useId, useState } from 'react';
import { DURATION_UNITS, secondsOf, splitSeconds, type DurationUnit } from '../format/durations.ts';

export interface DurationFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
  readonly error?: string | undefined;
}

export function DurationField({ label, description, seconds, onChange, error }: DurationFieldProps) {
  const id = useId();
  // The user selects the unit: 60 minutes must not turn into 1 hour during typing.
  const [unit, setUnit] = useState<DurationUnit>(() => splitSeconds(seconds).unit);
  const count = seconds / secondsOf(1, unit);
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <Group gap="xs" mt={6} wrap="nowrap">
        <NumberInput
          id={id}
          w="7rem"
          min={0}
          clampBehavior="strict"
          allowDecimal={false}
          value={count}
          error={error !== undefined}
          onChange={(value) => onChange(secondsOf(Number(value), unit))}
        />
        <Select
          w="8rem"
          aria-label={`${label}: unit`}
          data={[...DURATION_UNITS]}
          value={unit}
          onChange={(value) => {
            const next = DURATION_UNITS.find((each) => each === value) ?? 'seconds';
            setUnit(next);
            onChange(secondsOf(count, next));
          }}
        />
      </Group>
    </Input.Wrapper>
  );
}
