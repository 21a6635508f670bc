// Secrets can be entered but are never shown again. A stored secret is kept until it is replaced or removed.
import { Button, Group, Input, PasswordInput, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { STORED_SECRET } from './attribute-content.ts';
import type { ControlFacts } from './control-facts.ts';
import type { FieldState } from './attribute-values.ts';
import classes from './attributes.module.css';

type SecretState = Extract<FieldState, { control: 'secret' }>;

export interface SecretFieldProps {
  readonly facts: ControlFacts;
  readonly state: SecretState;
  readonly onChange: (state: SecretState) => void;
}

export function SecretField({ facts, state, onChange }: SecretFieldProps) {
  const [isReplacing, setReplacing] = useState(false);
  const { id, label, description, error, required, onBlur } = facts;
  if (state.kept && !isReplacing && state.text === '') {
    return (
      <Input.Wrapper label={label} description={description} error={error} required={required} labelElement="div">
        <Group gap="sm" className={classes.kept}>
          <IconLock size={15} aria-hidden="true" />
          <Text size="sm">{STORED_SECRET}</Text>
          <Button id={id} size="compact-xs" variant="default" onClick={() => setReplacing(true)}>
            Replace<span className="visually-hidden"> {label}</span>
          </Button>
          {!required && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onChange({ control: 'secret', text: '', kept: undefined })}
            >
              Remove<span className="visually-hidden"> {label}</span>
            </Button>
          )}
        </Group>
      </Input.Wrapper>
    );
  }
  return (
    <div>
      <PasswordInput
        id={id}
        label={label}
        description={description}
        error={error}
        required={required}
        onBlur={onBlur}
        value={state.text}
        autoComplete="new-password"
        autoFocus={isReplacing}
        onChange={(event) => onChange({ ...state, text: event.currentTarget.value })}
      />
      {state.kept && (
        <Button
          mt={6}
          size="compact-xs"
          variant="default"
          onClick={() => {
            onChange({ ...state, text: '' });
            setReplacing(false);
          }}
        >
          Keep current secret
        </Button>
      )}
    </div>
  );
}
