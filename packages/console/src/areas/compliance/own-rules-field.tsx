// The choice among the rules made here.
import { MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { ownRuleListQuery } from '../../queries/compliance.ts';
import { TextLink } from '../../ui/text-link.tsx';

export interface OwnRulesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function OwnRulesField({ chosen, onChange }: OwnRulesFieldProps) {
  return (
    <Reading of={useQuery(ownRuleListQuery)} what="your rules" empty={<NoRules />}>
      {(rules) => (
        <MultiSelect
          label="Your rules"
          placeholder={chosen.length === 0 ? 'Choose' : ''}
          searchable
          clearable
          nothingFoundMessage="No such rule"
          data={rules.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={[...chosen]}
          onChange={onChange}
        />
      )}
    </Reading>
  );
}

function NoRules() {
  return (
    <Text size="sm" c="dimmed">
      There are none yet.{' '}
      <TextLink to={paths.compliance.rules.list} inSentence>
        Make one
      </TextLink>{' '}
      whenever you need it.
    </Text>
  );
}
