// One field of an attribute form: the control for its state, with label, description and problem.
import { Checkbox, Input, Text, Textarea, TextInput } from '@mantine/core';
import type { AttributeContentType } from '@signetry/contract';
import type { InputHTMLAttributes } from 'react';
import { wordsOfItem } from './attribute-content.ts';
import { limitsOf } from './attribute-problems.ts';
import { waitsForOthers, type FieldDefinition, type FieldState } from './attribute-values.ts';
import { ChoiceField } from './choice-field.tsx';
import { CodeField } from './code-field.tsx';
import type { ControlFacts } from './control-facts.ts';
import { wordsOfWaiting } from './depends-on-others.tsx';
import { FileField } from './file-field.tsx';
import { SecretField } from './secret-field.tsx';
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
    case 'boolean':
      return (
        <Checkbox
          id={facts.id}
          label={facts.label}
          description={facts.description}
          error={facts.error}
          checked={state.value ?? false}
          onChange={(event) => change({ control: 'boolean', value: event.currentTarget.checked })}
        />
      );
    case 'secret':
      return <SecretField facts={facts} state={state} onChange={change} />;
    case 'file':
      return <FileField facts={facts} state={state} onChange={change} />;
    case 'code':
      return <CodeField facts={facts} state={state} onChange={change} />;
    case 'text':
      return (
        <TextField
          facts={facts}
          contentType={definition.contentType}
          text={state.text}
          onChange={(text) => change({ control: 'text', text })}
        />
      );
  }
}

type TextProps = Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'inputMode' | 'step'> & {
  readonly width?: string;
};

/** Numbers and dates are short, so their fields are narrow. */
const textProps: Partial<Record<AttributeContentType, TextProps>> = {
  integer: { inputMode: 'numeric', width: '10rem' },
  float: { inputMode: 'decimal', width: '10rem' },
  date: { type: 'date', width: '12rem' },
  time: { type: 'time', step: 1, width: '12rem' },
  datetime: { type: 'datetime-local', step: 1, width: '16rem' },
};

function TextField(props: {
  readonly facts: ControlFacts;
  readonly contentType: AttributeContentType;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const { facts, contentType, text, onChange } = props;
  if (contentType === 'text' || contentType === 'object') {
    return (
      <Textarea
        {...facts}
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={contentType === 'object' ? { input: classes.code } : {}}
        spellCheck={false}
        autoComplete="off"
      />
    );
  }
  const { width, ...input } = textProps[contentType] ?? {};
  return (
    <TextInput
      {...facts}
      {...input}
      styles={width === undefined ? {} : { wrapper: { maxWidth: width } }}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** Text in place of a control. */
function FixedField(props: {
  readonly facts: ControlFacts;
  readonly definition: FieldDefinition;
  readonly items: Extract<FieldState, { control: 'fixed' }>['items'];
}) {
  const { facts, definition, items } = props;
  const words = items.map((item) => wordsOfItem(definition.contentType, item)).join('\n');
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
        {words === '' ? <Text c="dimmed">{isCredential ? 'No credential' : 'Empty'}</Text> : <Text>{words}</Text>}
        <Text size="xs" c="dimmed">
          {isCredential ? 'The connector offers no choice of credentials.' : 'This value cannot be changed.'}
        </Text>
      </div>
    </Input.Wrapper>
  );
}

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
      value={items.map((item) => wordsOfItem(definition.contentType, item)).join(', ')}
      description={`${facts.description ?? ''} ${wordsOfWaiting(waiting)}`.trim()}
    />
  );
}
