// CSR field: paste or drop a request. It is decoded and checked immediately.
import { List, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type DragEvent } from 'react';
import { useOidNames } from '../../queries/oids.ts';
import { Facts } from '../../ui/facts.tsx';
import { State } from '../../ui/state.tsx';
import { ChooseFile, useEncodedFile } from '../../ui/encoded-file.tsx';
import classes from './issue.module.css';
import { readCsr, type ParsedCsr } from './read-csr.ts';
import { isSignatureValid } from './web-signatures.ts';

export interface CsrFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Error message if the platform rejected the CSR. */
  readonly refusal?: string | undefined;
}

export function CsrField({ text, onChange, refusal }: CsrFieldProps) {
  const [isOver, setOver] = useState(false);
  const { codes } = useOidNames();
  const read = text.trim() === '' ? undefined : readCsr(text, codes);
  const file = useEncodedFile(onChange);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    file.take(event.dataTransfer.files[0]);
  };
  const problem = read && 'problem' in read ? read.problem : undefined;
  return (
    <Stack gap="md">
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Textarea
          label="Certificate signing request"
          description="PEM or Base64, as created by openssl req, a web server or an appliance. You can drop a file here."
          placeholder="-----BEGIN CERTIFICATE REQUEST-----"
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            file.forget();
            onChange(event.currentTarget.value);
          }}
          error={problem ?? refusal}
          classNames={{ input: classes.code }}
        />
      </div>
      <ChooseFile name="CSR file" problem={file.problem} onFile={file.take} />
      {read && !('problem' in read) && <CsrSummary csr={read} />}
    </Stack>
  );
}

function CsrSummary({ csr }: { readonly csr: ParsedCsr }) {
  const { data: proven } = useQuery({
    queryKey: ['csr', csr.request.der.toHex()],
    queryFn: async () => (await isSignatureValid(csr.request)) ?? null,
  });
  return (
    <div className={classes.summary}>
      <Facts
        facts={[
          { name: 'Subject', value: csr.subject || 'none' },
          { name: 'Names', value: csr.names.join('\n') || 'none; the common name is used' },
          { name: 'Key', value: csr.key },
          {
            name: 'Signature',
            value:
              proven === true ? (
                <State tone="good">Valid</State>
              ) : proven === false ? (
                <State tone="bad">Invalid</State>
              ) : (
                <State tone="none">Checked at issuance</State>
              ),
          },
        ]}
      />
      {csr.problems.length > 0 && (
        <List size="sm" c="var(--bad)" mt="xs">
          {csr.problems.map((problem) => (
            <List.Item key={problem}>
              <Text size="sm">{problem}</Text>
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}
