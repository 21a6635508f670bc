// What the authority is told beside the request. Most certificates need nothing of it, so it is out of the way until it is wanted.
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import { Callout } from '../../ui/callout.tsx';
import { wordsOf } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { IssueAttributes } from './issue-attributes.ts';

export function Wishes({ wishes }: { readonly wishes: IssueAttributes }) {
  const [isWanted, setWanted] = useState(false);
  if (wishes.error)
    return (
      <Callout tone="warn" title="The authority does not say what it can be told">
        A certificate can be asked for all the same, as the RA profile has it. {wordsOf(wishes.error).text}
      </Callout>
    );
  if (!wishes.isShown) return null;
  const fields = wishes.form.definitions.filter(isField).filter(({ properties }) => properties.visible);
  // Words without fields, and what has to be filled in, are in sight at once.
  const isOpen = isWanted || fields.length === 0 || fields.some(({ properties }) => properties.required);
  const open = (): void => {
    setWanted(true);
    const [first] = fields;
    // Once it is drawn: the button that had the focus is gone.
    if (first) requestAnimationFrame(() => document.getElementById(wishes.form.idOf(first))?.focus());
  };
  return (
    <Panel title="3. With which wishes">
      <Text size="sm" c="dimmed" mb="md">
        {isOpen
          ? 'What is left empty is as the request and the RA profile say.'
          : `None are needed: the certificate is as the request and the RA profile say. What can be asked for: ${listOf(fields.map(({ properties }) => properties.label))}.`}
      </Text>
      {isOpen ? (
        <AttributeFields form={wishes.form} />
      ) : (
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={open}>
          Add wishes
        </Button>
      )}
    </Panel>
  );
}

/** Labels within a sentence. */
const listOf = (labels: readonly string[]): string =>
  labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1)).join(', ');
