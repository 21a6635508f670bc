// Explanatory text in a form, in a small subset of Markdown. Everything else, including HTML, is shown literally
// because the text comes from connectors. For the same reason, links show their URLs.
import { Anchor, Code, List, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { blocksOf, spansOf, type Block, type Span } from './markdown.ts';

export function InfoText({ text }: { readonly text: string }) {
  return (
    <Stack gap="xs" maw="42rem">
      {blocksOf(text).map((block, place) => (
        // oxlint-disable-next-line no-array-index-key -- a block is its place
        <TextBlock key={place} block={block} />
      ))}
    </Stack>
  );
}

function TextBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <Text size="sm" fw={650}>
          {renderSpans(block.text)}
        </Text>
      );
    case 'list':
      return (
        <List size="sm" c="dimmed" spacing={4} type={block.isOrdered ? 'ordered' : 'unordered'}>
          {block.items.map((item) => (
            <List.Item key={item}>{renderSpans(item)}</List.Item>
          ))}
        </List>
      );
    case 'code':
      return <Code block>{block.text}</Code>;
    case 'paragraph':
      return (
        <Text size="sm" c="dimmed">
          {renderSpans(block.text)}
        </Text>
      );
  }
}

const renderSpans = (text: string): ReactNode =>
  // oxlint-disable-next-line no-array-index-key -- a span is its place
  spansOf(text).map((span, place) => <Fragment key={place}>{renderSpan(span)}</Fragment>);

function renderSpan(span: Span): ReactNode {
  switch (span.kind) {
    case 'strong':
      return <strong>{span.text}</strong>;
    case 'emphasis':
      return <em>{span.text}</em>;
    case 'code':
      return <Code>{span.text}</Code>;
    case 'link':
      return (
        <>
          {span.text} (
          <Anchor href={span.address} inherit underline="always" target="_blank" rel="noreferrer">
            {span.address}
          </Anchor>
          )
        </>
      );
    case 'plain':
      return span.text;
  }
}
