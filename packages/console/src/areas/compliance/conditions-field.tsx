// A rule's conditions as text, and the dialog for editing them, which is the same as for filters.
import { Button, Group, Input, Stack, Text } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { wordsOfFilter } from '../../kit/filters/filter-words.ts';
import { FiltersInForce } from '../../kit/filters/filters-in-force.tsx';
import { ListFilters } from '../../kit/filters/list-filters.tsx';
import { certificateFieldsQuery, keyFieldsQuery } from '../../queries/search-fields.ts';
import { codeWords } from '../certificates/filter-words.ts';
import { requestFields, type Subject } from './conditions.ts';

export interface ConditionsFieldProps {
  readonly subject: Subject;
  readonly conditions: readonly SearchFilterRequestDto[];
  readonly problem: string | undefined;
  readonly onChange: (conditions: readonly SearchFilterRequestDto[]) => void;
}

interface EditedCondition {
  /** Index of the condition being edited; absent for a new condition. */
  readonly place?: number;
}

export function ConditionsField({ subject, conditions, problem, onChange }: ConditionsFieldProps) {
  const [edited, edit] = useState<EditedCondition>();
  return (
    <Stack gap="xs" role="group" aria-label="Conditions">
      <Text size="sm">
        {conditions.length === 0
          ? 'A rule needs at least one condition. Objects comply if they meet all conditions.'
          : 'Objects comply if they meet all of these conditions:'}
      </Text>
      <FiltersInForce
        one="condition"
        filters={conditions}
        wordsOf={(condition) => wordsOfFilter(subject, condition, codeWords)}
        error={undefined}
        onChange={onChange}
        onEdit={(place) => edit({ place })}
      />
      {problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => edit({})}>
          Add condition
        </Button>
      </Group>
      {edited && (
        <Conditions
          subject={subject}
          place={edited.place}
          filters={conditions}
          codeWords={codeWords}
          wording={{ title: 'Conditions', one: 'condition', none: 'No conditions' }}
          ask={() => Promise.resolve()}
          onChange={onChange}
          onClose={() => edit(undefined)}
        />
      )}
    </Stack>
  );
}

function Conditions({
  subject,
  ...dialog
}: { readonly subject: Subject } & Omit<Parameters<typeof ListFilters>[0], 'fields'>) {
  const certificates = useQuery({ ...certificateFieldsQuery, enabled: subject === 'certificates' });
  const keys = useQuery({ ...keyFieldsQuery, enabled: subject === 'keys' });
  const ofRequests = { data: requestFields, error: null, refetch: () => undefined };
  const fields = { certificates, keys, certificateRequests: ofRequests };
  return <ListFilters {...dialog} fields={fields[subject]} />;
}
