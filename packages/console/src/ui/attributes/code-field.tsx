// Source code field with a language selector.
import { Select, Textarea } from '@mantine/core';
import { ProgrammingLanguageEnum } from '@signetry/contract';
import { Highlighted } from '../highlighted.tsx';
import type { ControlFacts } from './control-facts.ts';
import type { FieldState } from './attribute-values.ts';
import classes from './attributes.module.css';

type CodeState = Extract<FieldState, { control: 'code' }>;

export interface CodeFieldProps {
  readonly facts: ControlFacts;
  readonly state: CodeState;
  readonly onChange: (state: CodeState) => void;
}

const languages = Object.entries(ProgrammingLanguageEnum.labels).map(([value, label]) => ({ value, label }));

export function CodeField({ facts, state, onChange }: CodeFieldProps) {
  return (
    <div className={classes.codeField}>
      <Textarea
        {...facts}
        autosize
        minRows={4}
        // The highlighted code is rendered beneath the text, which is transparent.
        inputContainer={(input) => (
          <div className={classes.layers}>
            <pre className={classes.colours} aria-hidden="true">
              <Highlighted language={state.language} code={state.code} />
            </pre>
            {input}
          </div>
        )}
        value={state.code}
        onChange={(event) => onChange({ ...state, code: event.currentTarget.value })}
        classNames={{ input: classes.codeInput }}
        spellCheck={false}
      />
      <Select
        size="xs"
        w="12rem"
        searchable
        aria-label={`Language of ${facts.label}`}
        placeholder="Language"
        data={languages}
        value={state.language || null}
        onChange={(language) => onChange({ ...state, language: language ?? '' })}
      />
    </div>
  );
}
