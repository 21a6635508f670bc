// A rule's conditions as text, and the dialog for editing them, which is the same as for filters.
import { Button, Group, Input, Stack, Text } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { describeFilter } from '../../kit/filters/filter-text.ts';
import { ActiveFilters } from '../../kit/filters/active-filters.tsx';
import { ListFilters } from '../../kit/filters/list-filters.tsx';
import { certificateFieldsQuery, keyFieldsQuery } from '../../queries/search-fields.ts';
import { codeTexts } from '../certificates/filter-text.ts';
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
      <ActiveFilters
        one="condition"
        filters={conditions}
        wordsOf={(condition) => describeFilter(subject, condition, codeTexts)}
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
          codeWords={codeTexts}
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
