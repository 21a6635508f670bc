// File field, by selection or drag and drop; the file is read here and sent with the form.
import { Button, Group, Input, Text } from '@mantine/core';
import { IconFile, IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { STORED_SECRET, describeItem } from './attribute-content.ts';
import type { ControlFacts } from './control-facts.ts';
import type { FieldState } from './attribute-values.ts';
import classes from './attributes.module.css';

type FileState = Extract<FieldState, { control: 'file' }>;

/** The platform rejects requests larger than 1 MiB, and Base64 adds one third. */
const MAX_BYTES = 700 * 1024;

export interface FileFieldProps {
  readonly facts: ControlFacts;
  readonly state: FileState;
  readonly onChange: (state: FileState) => void;
}

export function FileField({ facts, state, onChange }: FileFieldProps) {
  const { id, label, description, error, required, onBlur } = facts;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const labelId = useId();
  const acceptFile = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES || chosen.size === 0) {
      setProblem(chosen.size === 0 ? 'This file is empty.' : 'This file is too large. The limit is 700 KiB.');
      return;
    }
    setProblem(undefined);
    const content = new Uint8Array(await chosen.arrayBuffer()).toBase64();
    const mimeType = chosen.type || 'application/octet-stream';
    onChange({ control: 'file', file: { content, fileName: chosen.name, mimeType } });
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    void acceptFile(event.dataTransfer.files[0]);
  };
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={problem ?? error}
      required={required}
      labelElement="div"
      labelProps={{ id: labelId }}
    >
      <Group gap="sm" className={classes.file} onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
        <Button
          id={id}
          size="xs"
          variant="default"
          leftSection={<IconUpload size={14} aria-hidden="true" />}
          aria-describedby={labelId}
          onBlur={onBlur}
          onClick={() => input.current?.click()}
        >
          {state.file ? 'Choose a different file' : 'Choose a file'}
        </Button>
        {state.file ? (
          <>
            <Text size="sm" className={classes.fileName}>
              <IconFile size={14} aria-hidden="true" /> {describeItem('file', { data: state.file })}
              {state.file.content === '' && ` (${STORED_SECRET.toLowerCase()})`}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={() => onChange({ control: 'file', file: undefined })}>
              Remove
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            or drop it here
          </Text>
        )}
      </Group>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={(event) => {
          void acceptFile(event.currentTarget.files?.[0]);
          // Allows the same file to be selected again after it was changed.
          event.currentTarget.value = '';
        }}
      />
    </Input.Wrapper>
  );
}
