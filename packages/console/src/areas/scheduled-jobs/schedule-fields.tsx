// Fields for a job's schedule: a common pattern or a cron expression, with a preview of the next runs.
import { Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { readerTimeZone } from '../../format/dates.ts';
import { cronQuery } from '../../queries/scheduled-jobs.ts';
import {
  DAYS,
  dayNames,
  DAYS_OF_MONTH,
  expressionOf,
  FORMS,
  describeDayOfMonth,
  type Day,
  type ScheduleForm,
  type ScheduleValues,
} from './forms.ts';

const formWords: Readonly<Record<ScheduleForm, string>> = {
  hour: 'Every hour',
  day: 'Every day',
  week: 'Every week',
  month: 'Every month',
  other: 'Cron expression',
};

export interface ScheduleFieldsProps {
  readonly values: ScheduleValues;
  readonly onChange: (values: ScheduleValues) => void;
}

export function ScheduleFields({ values, onChange }: ScheduleFieldsProps) {
  const set = (changes: Partial<ScheduleValues>): void => onChange({ ...values, ...changes });
  return (
    <Stack>
      <Select
        label="Frequency"
        data={FORMS.map((value) => ({ value, label: formWords[value] }))}
        value={values.form}
        // The cron expression starts out with the schedule selected so far.
        onChange={(form) => form && set({ form, ...(form === 'other' && { expression: expressionOf(values) }) })}
        allowDeselect={false}
      />
      <FormFields values={values} set={set} />
      <NextRuns expression={expressionOf(values)} />
    </Stack>
  );
}

interface FieldsProps {
  readonly values: ScheduleValues;
  readonly set: (changes: Partial<ScheduleValues>) => void;
}

function FormFields({ values, set }: FieldsProps) {
  switch (values.form) {
    case 'hour':
      return (
        <NumberInput
          label="Minute"
          min={0}
          max={59}
          clampBehavior="strict"
          allowDecimal={false}
          value={values.minute}
          onChange={(minute) => set({ minute: Number(minute) })}
        />
      );
    case 'day':
      return <TimeField values={values} set={set} />;
    case 'week':
      return (
        <>
          <Checkbox.Group label="Days" value={[...values.days]} onChange={(days) => set({ days: days as Day[] })}>
            <Group mt="xs">
              {DAYS.map((day) => (
                <Checkbox key={day} value={day} label={dayNames[day]} />
              ))}
            </Group>
          </Checkbox.Group>
          <TimeField values={values} set={set} />
        </>
      );
    case 'month':
      return (
        <>
          <Select
            label="Day"
            data={DAYS_OF_MONTH.map((value) => ({ value, label: describeDayOfMonth(value) }))}
            value={values.dayOfMonth}
            onChange={(dayOfMonth) => dayOfMonth && set({ dayOfMonth })}
            allowDeselect={false}
          />
          <TimeField values={values} set={set} />
        </>
      );
    case 'other':
      return (
        <TextInput
          label="Cron expression"
          description="Quartz format: seconds, minutes, hours, day of month, month, day of week and optionally year, e.g. 0 0 6 ? * MON-FRI."
          required
          autoComplete="off"
          value={values.expression}
          onChange={({ currentTarget }) => set({ expression: currentTarget.value })}
        />
      );
  }
}

const TimeField = ({ values, set }: FieldsProps) => (
  <TextInput
    label="Time"
    type="time"
    required
    value={values.time}
    onChange={({ currentTarget }) => set({ time: currentTarget.value })}
  />
);

const TYPING_MS = 300;
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Shows times in the user's time zone. */
function NextRuns({ expression }: { readonly expression: string }) {
  const [settled] = useDebouncedValue(expression, TYPING_MS);
  const { data, isError } = useQuery(cronQuery(settled));
  if (settled === '' || !data) {
    const text = isError ? 'Cannot load the next runs.' : 'The next runs are shown here.';
    return <Text c="dimmed">{text}</Text>;
  }
  if (data.problem !== undefined)
    return (
      <Text c="var(--mantine-color-error)" size="sm" role="alert">
        {data.problem}
      </Text>
    );
  return (
    <div role="status">
      <Text size="sm" fw={600} component="h3">
        Next runs
      </Text>
      <Text size="sm" c="dimmed">
        {data.timeZone === readerTimeZone
          ? `All times are in the time zone ${data.timeZone}.`
          : `The schedule uses the platform's time zone, ${data.timeZone}; the times shown here are in yours, ${readerTimeZone}.`}
      </Text>
      <ul aria-label="Next runs">
        {data.nextRuns.map((time) => (
          <li key={time}>
            <Text size="sm">{dayAndTime.format(new Date(time))}</Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
