// Requirement and remedy of a rule, with severity, clause and field if its connector provides them.
import { Text } from '@mantine/core';
import { parseRuleDescription } from './rule-description.ts';
import { SeverityState } from './state.tsx';

export function RuleText({ description }: { readonly description: string | undefined }) {
  const { text, clause, field, severity } = parseRuleDescription(description);
  return (
    <>
      {severity && (
        <>
          <SeverityState of={severity} />{' '}
        </>
      )}
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
      {clause !== undefined && (
        <Text span display="block" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {clause} · {field}
        </Text>
      )}
    </>
  );
}
