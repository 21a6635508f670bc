// Editor for the steps of an approval profile: adds, removes and reorders them.
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { moveStep, withStep, type EnteredStep } from './profile-values.ts';
import { StepFields } from './step-fields.tsx';
import classes from './steps.module.css';

export interface StepsFieldProps {
  readonly steps: readonly EnteredStep[];
  readonly error: string | undefined;
  readonly onChange: (steps: readonly EnteredStep[]) => void;
}

export function StepsField({ steps, error, onChange }: StepsFieldProps) {
  const id = useId();
  /** Screen reader announcement when steps change. */
  const [said, setSaid] = useState('');
  const move = (place: number, by: -1 | 1): void => {
    const next = moveStep(steps, place, by);
    if (next === steps) return;
    onChange(next);
    setSaid(`Step ${place + 1} is now step ${place + 1 + by}.`);
  };
  const remove = (place: number): void => {
    onChange(steps.toSpliced(place, 1));
    setSaid(`Step ${place + 1} removed.`);
    document.getElementById(id)?.focus();
  };
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step, place) => (
          <li key={step.key}>
            <StepFields
              step={step}
              place={place}
              count={steps.length}
              onChange={(changed) => onChange(steps.with(place, changed))}
              onMove={(by) => move(place, by)}
              onRemove={() => remove(place)}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button
          id={id}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange(withStep(steps))}
        >
          Add step
        </Button>
      </div>
      {error !== undefined && (
        <Text c="var(--bad)" size="sm">
          {error}
        </Text>
      )}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
