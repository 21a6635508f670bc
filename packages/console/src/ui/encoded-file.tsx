// File that contains a certificate or CSR: PEM is read as is, DER is converted to Base64.
import { Button, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatBytes } from '../format/sizes.ts';

/** Larger files are neither certificates nor CSRs. */
const MAX_FILE_BYTES = 256 * 1024;

/** Content of a file, or why it was rejected. */
export type EncodedFile = { readonly encoded: string } | { readonly problem: string };

async function readEncodedFile(file: File): Promise<EncodedFile> {
  if (file.size > MAX_FILE_BYTES) return { problem: describeTooLarge(file) };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // DER starts with a SEQUENCE tag; everything else is treated as text.
    return { encoded: bytes[0] === 0x30 ? bytes.toBase64() : new TextDecoder().decode(bytes) };
  } catch {
    return { problem: `Cannot read ${file.name}.` };
  }
}

const describeTooLarge = ({ name, size }: File): string =>
  `${name} is too large (${formatBytes(size)}). The limit is ${formatBytes(MAX_FILE_BYTES)}. Check that it is the right file.`;

/** Reads selected or dropped files. The problem concerns the latest file and is cleared by the next valid one. */
export function useEncodedFile(onEncoded: (encoded: string) => void) {
  const [problem, setProblem] = useState<string>();
  const acceptFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const read = await readEncodedFile(file);
    setProblem('problem' in read ? read.problem : undefined);
    if ('encoded' in read) onEncoded(read.encoded);
  };
  return { problem, take: (file: File | undefined) => void acceptFile(file), forget: () => setProblem(undefined) };
}

export interface ChooseFileProps {
  /** Accessible name, e.g. `Request file`. */
  readonly name: string;
  /** Why the latest file was rejected. */
  readonly problem: string | undefined;
  readonly onFile: (file: File | undefined) => void;
}

export function ChooseFile({ name, problem, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Group>
      <Button variant="default" size="xs" leftSection={<IconUpload size={14} />} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={name}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          // Allows the same file to be selected again after it was corrected.
          event.currentTarget.value = '';
        }}
      />
      {/* Always rendered, so that screen readers announce its changes. */}
      <Text size="sm" c="var(--bad)" role="status" style={{ overflowWrap: 'anywhere' }}>
        {problem}
      </Text>
    </Group>
  );
}
