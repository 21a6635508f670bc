// Control for a single attribute value, depending on its state.
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { AttributeContentType } from '@signetry/contract';
import type { InputHTMLAttributes } from 'react';
import type { FieldState } from './attribute-values.ts';
import { CodeField } from './code-field.tsx';
import type { ControlFacts } from './control-facts.ts';
import { FileField } from './file-field.tsx';
import { IdentifiersInText } from './identifiers-in-text.tsx';
import { SecretField } from './secret-field.tsx';
import classes from './attributes.module.css';

/** States of editable single values. */
export type ItemState = Exclude<FieldState, { control: 'fixed' | 'choice' | 'many' }>;

export interface ItemControlProps {
  readonly facts: ControlFacts;
  readonly contentType: AttributeContentType;
  readonly state: ItemState;
  readonly onChange: (state: ItemState) => void;
}

export function ItemControl({ facts, contentType, state, onChange }: ItemControlProps) {
  switch (state.control) {
    case 'boolean':
      return (
        <Checkbox
          id={facts.id}
          label={facts.label}
          description={facts.description}
          error={facts.error}
          checked={state.value ?? false}
          onChange={(event) => onChange({ control: 'boolean', value: event.currentTarget.checked })}
        />
      );
    case 'secret':
      return <SecretField facts={facts} state={state} onChange={onChange} />;
    case 'file':
      return <FileField facts={facts} state={state} onChange={onChange} />;
    case 'code':
      return <CodeField facts={facts} state={state} onChange={onChange} />;
    case 'text':
      return (
        <>
          <TextField
            facts={facts}
            contentType={contentType}
            text={state.text}
            onChange={(text) => onChange({ control: 'text', text })}
          />
          <IdentifiersInText text={state.text} />
        </>
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
