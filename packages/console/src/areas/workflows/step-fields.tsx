// Fields for a rule's steps. Steps shared with other triggers are read-only.
import { ActionIcon, Button, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ExecutionItemDto, Resource, SearchFieldDataDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMayList } from '../../api/session.ts';
import { capitalize } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useNotificationProfiles } from '../../queries/notification-profiles.ts';
import { settableFieldsQuery } from '../../queries/workflows.ts';
import {
  choiceKeyOf,
  contentOf,
  NOTIFY,
  objectsIn,
  stepChoices,
  isMultiValued,
  type StepChoice,
} from './step-choices.ts';
import { isShared, newStep, type Step } from './trigger-values.ts';
import { formatList, describeStep } from '../evaluations/texts.ts';
import classes from './workflows.module.css';

export interface StepFieldsProps {
  readonly resource: Resource;
  readonly steps: readonly Step[];
  readonly onChange: (steps: readonly Step[]) => void;
}

export function StepFields({ resource, steps, onChange }: StepFieldsProps) {
  const mayNotify = useMayList()('notificationProfiles');
  return (
    <QueryView of={useQuery(settableFieldsQuery(resource))} what="the available fields">
      {(fields) => {
        const choices = stepChoices(fields, mayNotify);
        const [first] = choices;
        return (
          <Stack gap="sm" role="group" aria-label="Steps">
            <ol className={classes.steps}>
              {steps.map((step, place) => (
                <li key={step.id}>
                  {isShared(step) ? (
                    <SharedStep step={step} steps={steps} onChange={onChange} />
                  ) : (
                    <StepLine
                      step={step}
                      number={place + 1}
                      choices={choices}
                      onChange={(item) => onChange(steps.with(place, { ...step, item }))}
                      onRemove={() => onChange(steps.toSpliced(place, 1))}
                    />
                  )}
                </li>
              ))}
            </ol>
            {first ? (
              <div>
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconPlus size={14} aria-hidden="true" />}
                  onClick={() => onChange([...steps, newStep(steps, first.item)])}
                >
                  Add step
                </Button>
              </div>
            ) : (
              <Text size="sm" c="dimmed">
                No fields can be set here, and you do not have permission to list notification profiles.
              </Text>
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}

interface StepLineProps {
  readonly step: Step;
  readonly number: number;
  readonly choices: readonly StepChoice[];
  readonly onChange: (item: ExecutionItemDto) => void;
  readonly onRemove: () => void;
}

function StepLine({ step, number, choices, onChange, onRemove }: StepLineProps) {
  const key = choiceKeyOf(step.item);
  const choice = choices.find((each) => each.key === key);
  // A stored choice is shown even if the platform no longer offers it.
  const kept = choice
    ? []
    : [{ group: 'No longer available', items: [{ value: key, label: capitalize(describeStep(step.item)) }] }];
  const groups = [...Map.groupBy(choices, ({ group }) => group)];
  return (
    <div className={classes.step} role="group" aria-label={`Step ${number}`}>
      <Select
        aria-label={`Action of step ${number}`}
        searchable
        nothingFoundMessage="No actions found"
        data={[
          ...groups.map(([group, of]) => ({ group, items: of.map(({ key: value, label }) => ({ value, label })) })),
          ...kept,
        ]}
        value={key}
        onChange={(wanted) => {
          const next = choices.find((each) => each.key === wanted);
          if (next && wanted !== key) onChange(next.item);
        }}
      />
      <StepValue step={step} number={number} choice={choice} onChange={onChange} />
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove step ${number}`} onClick={onRemove}>
        <IconTrash size={16} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}

interface StepValueProps {
  readonly step: Step;
  readonly number: number;
  readonly choice: StepChoice | undefined;
  readonly onChange: (item: ExecutionItemDto) => void;
}

function StepValue({ step: { item }, number, choice, onChange }: StepValueProps) {
  const label = `Value of step ${number}`;
  if (choice?.key === NOTIFY) return <ProfileSelect label={label} item={item} onChange={onChange} />;
  if (!choice?.field) return <div />;
  const { field } = choice;
  const set = (data: unknown) => onChange({ ...choice.item, data });
  return item.fieldSource === 'custom' ? (
    <ContentField label={label} field={field} data={item.data} onChange={set} />
  ) : (
    <ObjectSelect label={label} field={field} data={item.data} onChange={set} />
  );
}

function ProfileSelect({
  label,
  item,
  onChange,
}: {
  readonly label: string;
  readonly item: ExecutionItemDto;
  readonly onChange: (item: ExecutionItemDto) => void;
}) {
  const { data: profiles = [] } = useQuery(useNotificationProfiles());
  const { notificationProfileUuid: uuid = '', notificationProfileName: name = uuid } = item;
  const isListed = uuid === '' || profiles.some((profile) => profile.uuid === uuid);
  const shown = [...profiles, ...(isListed ? [] : [{ uuid, name }])];
  return (
    <Select
      aria-label={label}
      searchable
      placeholder={profiles.length === 0 ? 'No notification profiles yet' : 'Choose a notification profile'}
      nothingFoundMessage="No notification profiles found"
      data={shown.map((profile) => ({ value: profile.uuid, label: profile.name }))}
      value={uuid === '' ? null : uuid}
      onChange={(chosen) => {
        const profile = shown.find((each) => each.uuid === chosen);
        if (profile) onChange({ notificationProfileUuid: profile.uuid, notificationProfileName: profile.name });
      }}
    />
  );
}

interface ValueFieldProps {
  readonly label: string;
  readonly field: SearchFieldDataDto;
  readonly data: unknown;
  readonly onChange: (data: unknown) => void;
}

function ObjectSelect({ label, field, data, onChange }: ValueFieldProps) {
  const chosen = objectsIn(Array.isArray(data) ? data : [data]);
  const offered = objectsIn(field.value);
  const known = new Map([...chosen, ...offered].map((object) => [object.uuid, object]));
  const options = [...known.values()].map(({ uuid, name }) => ({ value: uuid, label: name }));
  const control = {
    'aria-label': label,
    searchable: true,
    data: options,
    nothingFoundMessage: options.length === 0 ? 'No objects that you can view' : 'Nothing found',
  };
  const set = (uuids: readonly string[]) => {
    const objects = uuids.flatMap((uuid) => known.get(uuid) ?? []);
    onChange(objects.length === 0 ? undefined : objects);
  };
  if (isMultiValued(field))
    return (
      <MultiSelect
        {...control}
        placeholder={chosen.length === 0 ? 'Choose one or more' : ''}
        value={chosen.map(({ uuid }) => uuid)}
        onChange={set}
      />
    );
  return (
    <Select
      {...control}
      placeholder="Choose"
      value={chosen[0]?.uuid ?? null}
      onChange={(uuid) => set(uuid === null ? [] : [uuid])}
    />
  );
}

const inputTypes: Readonly<Record<string, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' };

/** Field for a single custom attribute value, which the platform validates when the form is saved. */
function ContentField({ label, field: { attributeContentType: type = 'string' }, data, onChange }: ValueFieldProps) {
  const value = contentOf(data);
  const setData = (next: unknown) => onChange(next === '' || next === undefined ? undefined : [{ data: next }]);
  if (type === 'boolean')
    return (
      <Select
        aria-label={label}
        placeholder="Choose"
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => setData(chosen === 'true')}
      />
    );
  const isNumber = type === 'integer' || type === 'float';
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (
    <TextInput
      aria-label={label}
      placeholder="Value"
      type={inputTypes[type] ?? 'text'}
      {...(isNumber && { inputMode: type === 'integer' ? 'numeric' : 'decimal' })}
      {...(type === 'time' && { step: 1 })}
      autoComplete="off"
      value={type === 'datetime' ? shown.slice(0, 16) : shown}
      onChange={({ currentTarget: { value: text } }) =>
        setData(isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text)
      }
    />
  );
}

interface SharedStepProps {
  readonly step: Step;
  readonly steps: readonly Step[];
  readonly onChange: (steps: readonly Step[]) => void;
}

/** The steps of a shared action can only be copied or removed together. */
function SharedStep({ step, steps, onChange }: SharedStepProps) {
  const { name = '', item, sharedWith } = step;
  const belongs = (each: Step): boolean => each.actionUuid === step.actionUuid && each.name === name;
  const copyStep = (each: Step): Step => ({ id: each.id, item: each.item, sharedWith: [] });
  return (
    <div className={classes.block} data-shared role="group" aria-label={`Shared step ${name}`}>
      <Text size="sm">{capitalize(describeStep(item))}</Text>
      <Text size="xs" c="dimmed">
        {`${name}, also used by ${formatList(sharedWith)}. Use a copy to change it only here.`}
      </Text>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Use a copy of ${name}`}
          onClick={() => onChange(steps.map((each) => (belongs(each) ? copyStep(each) : each)))}
        >
          Use a copy
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Remove ${name}`}
          onClick={() => onChange(steps.filter((each) => !belongs(each)))}
        >
          Remove
        </Button>
      </Group>
    </div>
  );
}
