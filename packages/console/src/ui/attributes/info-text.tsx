// Explanatory text of a form, in a small subset of Markdown: paragraphs, lists, bold and code. Anything else, links and
// HTML included, is shown literally, because the text comes from connectors.
import { Code, List, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

export function InfoText({ text }: { readonly text: string }) {
  return (
    <Stack gap="xs" maw="42rem">
      {text
        .split(/\n\s*\n/)
        .filter((block) => block.trim() !== '')
        .map((block, index) => (
          <Block key={index} text={block.trim()} />
        ))}
    </Stack>
  );
}

const ITEM = /^\s*[*-] +/;

function Block({ text }: { readonly text: string }) {
  const lines = text.split('\n');
  if (lines.every((line) => ITEM.test(line))) {
    return (
      <List size="sm" c="dimmed" spacing={4}>
        {lines.map((line) => (
          <List.Item key={line}>{words(line.replace(ITEM, ''))}</List.Item>
        ))}
      </List>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {words(lines.join(' '))}
    </Text>
  );
}

const words = (text: string): ReactNode =>
  text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, index) => <Fragment key={index}>{word(part)}</Fragment>);

function word(part: string): ReactNode {
  if (part.startsWith('**') && part.length > 4) return <strong>{part.slice(2, -2)}</strong>;
  if (part.startsWith('`') && part.length > 2) return <Code>{part.slice(1, -1)}</Code>;
  return part;
}
