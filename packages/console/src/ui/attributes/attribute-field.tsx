// Field of an attribute form: the control for its state, with label, description and error.
import { Input, Text, TextInput } from '@mantine/core';
import { describeItem } from './attribute-content.ts';
import { limitsOf } from './attribute-problems.ts';
import { waitsForOthers, type FieldDefinition, type FieldState } from './attribute-values.ts';
import { ChoiceField } from './choice-field.tsx';
import { CodeBlocks } from './code-blocks.tsx';
import type { ControlFacts } from './control-facts.ts';
import { describeWaiting } from './depends-on-others.tsx';
import { ItemControl } from './item-control.tsx';
import { ManyField } from './many-field.tsx';
import type { AttributeFormModel } from './use-attribute-form.ts';
import type { Waiting } from './use-callbacks.ts';
import classes from './attributes.module.css';

export interface FieldProps {
  readonly definition: FieldDefinition;
  readonly form: AttributeFormModel;
}

export function AttributeField({ definition, form }: FieldProps) {
  const state = form.stateOf(definition);
  const facts: ControlFacts = {
    id: form.idOf(definition),
    label: definition.properties.label,
    description: [definition.description, limitsOf(definition)].filter(Boolean).join(' ') || undefined,
    required: definition.properties.required,
    error: form.problemOf(definition),
    onBlur: () => form.leave(definition),
  };
  const change = (next: FieldState): void => form.change(definition, next);
  const waiting = waitsForOthers(definition) ? form.waitingOf(definition) : undefined;
  if (waiting) return <WaitingField facts={facts} state={state} definition={definition} waiting={waiting} />;
  switch (state.control) {
    case 'fixed':
      return <FixedField facts={facts} definition={definition} items={state.items} />;
    case 'choice':
      return <ChoiceField facts={facts} definition={definition} state={state} onChange={change} />;
    case 'many':
      return <ManyField facts={facts} definition={definition} entries={state.entries} onChange={change} />;
    default:
      return <ItemControl facts={facts} contentType={definition.contentType} state={state} onChange={change} />;
  }
}

/** Read-only text in place of a control. */
function FixedField(props: {
  readonly facts: ControlFacts;
  readonly definition: FieldDefinition;
  readonly items: Extract<FieldState, { control: 'fixed' }>['items'];
}) {
  const { facts, definition, items } = props;
  const words = items.map((item) => describeItem(definition.contentType, item)).join('\n');
  const isCredential = definition.contentType === 'credential' && !definition.properties.readOnly;
  return (
    <Input.Wrapper
      label={facts.label}
      description={facts.description}
      error={facts.error}
      required={facts.required}
      labelElement="div"
    >
      <div id={facts.id} tabIndex={-1} className={classes.fixed}>
        {words === '' && <Text c="dimmed">{isCredential ? 'No credential' : 'Empty'}</Text>}
        {definition.contentType === 'codeblock' ? <CodeBlocks items={items} /> : <Text>{words}</Text>}
        <Text size="xs" c="dimmed">
          {isCredential ? describeNoChoices(definition) : 'This value cannot be changed.'}
        </Text>
      </div>
    </Input.Wrapper>
  );
}

const describeNoChoices = ({ type }: FieldDefinition): string =>
  type === 'custom'
    ? 'Changing it requires the list permission on credentials.'
    : 'The connector offers no credentials to choose from.';

function WaitingField(props: {
  readonly facts: ControlFacts;
  readonly definition: FieldDefinition;
  readonly state: FieldState;
  readonly waiting: Waiting;
}) {
  const { facts, definition, state, waiting } = props;
  const items = state.control === 'choice' ? state.chosen : [];
  return (
    <TextInput
      {...facts}
      disabled
      value={items.map((item) => describeItem(definition.contentType, item)).join(', ')}
      description={`${facts.description ?? ''} ${describeWaiting(waiting)}`.trim()}
    />
  );
}
