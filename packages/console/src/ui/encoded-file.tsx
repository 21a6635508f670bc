// A file that holds a certificate or a request: PEM is taken as it is, DER in Base64.
import { Button, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatBytes } from '../format/sizes.ts';

/** Larger files are neither certificates nor requests. */
const MAX_FILE_BYTES = 256 * 1024;

/** What a file holds, or why it is not taken. */
export type EncodedFile = { readonly encoded: string } | { readonly problem: string };

async function readEncodedFile(file: File): Promise<EncodedFile> {
  if (file.size > MAX_FILE_BYTES) return { problem: tooLarge(file) };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // DER starts with a SEQUENCE; everything else is text.
    return { encoded: bytes[0] === 0x30 ? bytes.toBase64() : new TextDecoder().decode(bytes) };
  } catch {
    return { problem: `${file.name} could not be read.` };
  }
}

const tooLarge = ({ name, size }: File): string =>
  `${name} has ${formatBytes(size)}, and files of up to ${formatBytes(MAX_FILE_BYTES)} are taken. Is it the right file?`;

/** Takes files that are chosen or dropped; the problem is of the latest one, and goes when the next is taken. */
export function useEncodedFile(onEncoded: (encoded: string) => void) {
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const read = await readEncodedFile(file);
    setProblem('problem' in read ? read.problem : undefined);
    if ('encoded' in read) onEncoded(read.encoded);
  };
  return { problem, take: (file: File | undefined) => void take(file), forget: () => setProblem(undefined) };
}

export interface ChooseFileProps {
  /** Read aloud, e.g. `Request file`. */
  readonly name: string;
  /** Why the latest file was not taken. */
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
          // The same file can be chosen again once it was mended.
          event.currentTarget.value = '';
        }}
      />
      {/* Always there, so that what comes into it is read aloud. */}
      <Text size="sm" c="var(--bad)" role="status" style={{ overflowWrap: 'anywhere' }}>
        {problem}
      </Text>
    </Group>
  );
}
