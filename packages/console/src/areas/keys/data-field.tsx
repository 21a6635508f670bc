// Input for key operations: text or a small file, converted to Base64.
import { Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { formatBytes } from '../../format/sizes.ts';
import { Copy } from '../../ui/copy.tsx';
import { ChooseFile } from '../../ui/encoded-file.tsx';

/** The data is sent in a single request, encoded in Base64. */
const MAX_FILE_BYTES = 256 * 1024;

export interface DataFieldProps {
  readonly use: 'sign' | 'encrypt';
  readonly onChange: (base64: string) => void;
}

/** Calls `onChange` with Base64, or with an empty string if there is no data. */
export function DataField({ use, onChange }: DataFieldProps) {
  const [source, setSource] = useState<'text' | 'file'>('text');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const acceptFile = async (next: File | undefined): Promise<void> => {
    if (!next) return;
    const isTooLarge = next.size > MAX_FILE_BYTES;
    setProblem(
      isTooLarge
        ? `${next.name} is too large: ${formatBytes(next.size)} (maximum ${formatBytes(MAX_FILE_BYTES)}).`
        : undefined,
    );
    setFile(isTooLarge ? undefined : next);
    onChange(isTooLarge ? '' : new Uint8Array(await next.arrayBuffer()).toBase64());
  };
  return (
    <Input.Wrapper label={`Data to ${use}`} labelElement="div" labelProps={{ id }}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl
          aria-labelledby={id}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'file', label: 'File' },
          ]}
          style={{ alignSelf: 'start' }}
          value={source}
          onChange={(next) => {
            setSource(next === 'file' ? 'file' : 'text');
            setFile(undefined);
            onChange(next === 'file' ? '' : toBase64(text));
          }}
        />
        {source === 'text' ? (
          <Textarea
            aria-label={`Text to ${use}`}
            description="Encoded as UTF-8."
            autosize
            minRows={2}
            maxRows={8}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              onChange(toBase64(event.currentTarget.value));
            }}
          />
        ) : (
          <>
            <ChooseFile name={`File to ${use}`} problem={problem} onFile={(next) => void acceptFile(next)} />
            {file && <Text size="sm">{`${file.name}, ${formatBytes(file.size)}`}</Text>}
          </>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

const toBase64 = (text: string): string => new TextEncoder().encode(text).toBase64();

export interface EncodedFieldProps {
  /** For example `Signature`. */
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Absent if the field is read-only. */
  readonly onChange?: (base64: string) => void;
}

/** Field that shows Base64-encoded bytes, which can be copied. */
export const EncodedField = ({ label, description, value, onChange }: EncodedFieldProps) => (
  <Group align="start" wrap="nowrap" gap="xs">
    <Textarea
      label={`${label} (Base64)`}
      description={description}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      style={{ flex: 1 }}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
      value={value}
      readOnly={onChange === undefined}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
    {value.trim() !== '' && <Copy text={value.trim()} what={label.toLowerCase()} />}
  </Group>
);
