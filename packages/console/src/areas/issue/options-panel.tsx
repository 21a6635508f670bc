// Issuance attributes defined by the authority. Most certificates need none, so optional ones are collapsed.
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import { Callout } from '../../ui/callout.tsx';
import { describeError } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { IssueAttributes } from './issue-attributes.ts';

export function OptionsPanel({ options }: { readonly options: IssueAttributes }) {
  const [isWanted, setWanted] = useState(false);
  if (options.error)
    return (
      <Callout tone="warn" title="Cannot load the authority's options">
        You can still issue a certificate with the settings of the RA profile. {describeError(options.error).text}
      </Callout>
    );
  if (!options.isShown) return null;
  const fields = options.form.definitions.filter(isField).filter(({ properties }) => properties.visible);
  // If there are only texts, or if a field is required, the options are always shown.
  const isOpen = isWanted || fields.length === 0 || fields.some(({ properties }) => properties.required);
  const open = (): void => {
    setWanted(true);
    const [first] = fields;
    // Waits until the fields are rendered, because the focused button is then removed.
    if (first) requestAnimationFrame(() => document.getElementById(options.form.idOf(first))?.focus());
  };
  return (
    <Panel title="3. Options">
      <Text size="sm" c="dimmed" mb="md">
        {isOpen
          ? 'Empty fields use the values of the request and the RA profile.'
          : `Optional. By default, the certificate follows the request and the RA profile. Available: ${listOf(fields.map(({ properties }) => properties.label))}.`}
      </Text>
      {isOpen ? (
        <AttributeFields form={options.form} />
      ) : (
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={open}>
          Show options
        </Button>
      )}
    </Panel>
  );
}

/** Formats the labels as a list for use within a sentence. */
const listOf = (labels: readonly string[]): string =>
  labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1)).join(', ');
