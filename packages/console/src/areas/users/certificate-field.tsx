// Field for a user's certificate: none, an inventory certificate, or a file.
import { Radio, Select, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayList } from '../../api/session.ts';
import { formatDate } from '../../format/dates.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { certificateListQuery, certificateQuery } from '../../queries/certificates.ts';
import { ChooseFile, useEncodedFile } from '../../ui/encoded-file.tsx';
import { inState } from '../certificates/filters.ts';
import type { CertificateChoice } from './certificate-choice.ts';
import type { UserDetail } from './shapes.ts';

const FOUND = 20;

export interface CertificateFieldProps {
  readonly choice: CertificateChoice;
  /** The user's current certificate. */
  readonly present: UserDetail['certificate'];
  readonly onChange: (choice: CertificateChoice) => void;
}

const starts: Readonly<Record<CertificateChoice['kind'], (present: UserDetail['certificate']) => CertificateChoice>> = {
  none: () => ({ kind: 'none' }),
  inventory: (present) => ({ kind: 'inventory', uuid: present?.uuid }),
  file: () => ({ kind: 'file', data: '' }),
};

export function CertificateField({ choice, present, onChange }: CertificateFieldProps) {
  const mayList = useMayList();
  const isListed = mayList('certificates');
  return (
    <Stack gap="md">
      <Radio.Group
        label="Client certificate"
        value={choice.kind}
        // The value always belongs to one of the radio buttons below.
        onChange={(kind) => onChange(starts[kind as CertificateChoice['kind']](present))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="none" label="No certificate" />
          {(isListed || present) && (
            <Radio value="inventory" label={isListed ? 'Certificate from the inventory' : 'Current certificate'} />
          )}
          <Radio value="file" label="Other certificate" />
        </Stack>
      </Radio.Group>
      {choice.kind === 'inventory' && isListed && (
        <InventoryField uuid={choice.uuid} onChange={(uuid) => onChange({ kind: 'inventory', uuid })} />
      )}
      {choice.kind === 'file' && <FileField data={choice.data} onChange={(data) => onChange({ kind: 'file', data })} />}
    </Stack>
  );
}

function InventoryField(props: { readonly uuid: string | undefined; readonly onChange: (uuid: string) => void }) {
  const { uuid, onChange } = props;
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const chosen = useQuery({ ...certificateQuery(uuid ?? ''), enabled: uuid !== undefined });
  // After a selection, the field contains the selected certificate's label, which is not a search term.
  const isChosen = chosen.data !== undefined && wanted === labelOf(chosen.data);
  const search = wanted === '' || isChosen ? {} : { text: wanted };
  const found = useQuery(certificateListQuery({ ...search, filters: [inState('issued')], size: FOUND }));
  const choices = new Map((found.data?.certificates ?? []).map((each) => [each.uuid, labelOf(each)]));
  if (chosen.data) choices.set(chosen.data.uuid, labelOf(chosen.data));
  return (
    <Select
      label="Certificate"
      description="Search by name, serial number or issuer"
      searchable
      required
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'Nothing found'}
      // The platform already filtered the results.
      filter={({ options }) => options}
      data={[...choices].map(([value, label]) => ({ value, label }))}
      value={uuid ?? null}
      onSearchChange={setText}
      onChange={(value) => value !== null && onChange(value)}
    />
  );
}

type LabeledCertificate = Parameters<typeof titleOf>[0] &
  Parameters<typeof issuerOf>[0] & { readonly notAfter?: string | undefined };

/** Returns the name with the issuer and expiry date, because names are not unique. */
function labelOf(certificate: LabeledCertificate): string {
  const { notAfter } = certificate;
  return [titleOf(certificate), issuerOf(certificate), ...(notAfter === undefined ? [] : [formatDate(notAfter)])].join(
    ' · ',
  );
}

function FileField({ data, onChange }: { readonly data: string; readonly onChange: (data: string) => void }) {
  const { problem, take, forget } = useEncodedFile(onChange);
  return (
    <Stack
      gap="xs"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files[0]);
      }}
    >
      <Textarea
        label="Certificate"
        description="PEM or Base64, without the private key. You can drop a file here. The certificate is added to the inventory."
        placeholder="-----BEGIN CERTIFICATE-----"
        required
        autosize
        minRows={4}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={data}
        onChange={(event) => {
          forget();
          onChange(event.currentTarget.value);
        }}
      />
      <ChooseFile name="Certificate file" problem={problem} onFile={take} />
    </Stack>
  );
}
