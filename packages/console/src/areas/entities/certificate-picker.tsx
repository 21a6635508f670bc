// Selector for a certificate in the inventory, with search.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDate } from '../../format/dates.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { certificateListQuery, certificateQuery } from '../../queries/certificates.ts';

/** Number of options shown. The user can type to find others. */
const SHOWN = 25;

/** Certificates that can be pushed: issued ones, and requested ones that can still be issued. */
const PUSHABLE: readonly SearchFilterRequestDto[] = [
  { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued', 'requested', 'pending_approval', 'pending_issue'] },
]; // prettier-ignore

export interface CertificatePickerProps {
  readonly uuid: string | undefined;
  readonly onChange: (uuid: string | undefined) => void;
}

interface Offered {
  readonly uuid: string;
  readonly commonName: string;
  readonly notAfter?: string | undefined;
  readonly serialNumber?: string | undefined;
}

export function CertificatePicker({ uuid, onChange }: CertificatePickerProps) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const chosen = useQuery({ ...certificateQuery(uuid ?? ''), enabled: uuid !== undefined }).data;
  // After a selection, the field contains the certificate's label rather than search text.
  const isSearch = wanted !== '' && (chosen === undefined || wanted !== labelOf(chosen));
  const search = {
    ...(isSearch && { text: wanted }),
    filters: PUSHABLE,
    size: SHOWN,
    sort: 'createdAt',
    direction: 'desc',
  } as const;
  const { data } = useQuery(certificateListQuery(search));
  const found: readonly Offered[] = data?.certificates ?? [];
  const offered = chosen && !found.some((each) => each.uuid === chosen.uuid) ? [chosen, ...found] : found;
  return (
    <Select
      label="Certificate"
      description="From the inventory. Type a name, serial number or fingerprint."
      required
      searchable
      placeholder="Choose a certificate"
      nothingFoundMessage="No matching certificate that can be pushed"
      // The platform has already filtered the results.
      filter={({ options }) => options}
      data={offered.map((certificate) => ({ value: certificate.uuid, label: labelOf(certificate) }))}
      value={chosen ? (uuid ?? null) : null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(value) => onChange(value ?? undefined)}
    />
  );
}

/**
 * Formats `www.example.com – until 3 May 2027, issued by Example CA`, which distinguishes certificates with the same
 * name.
 */
function labelOf(certificate: Offered & { readonly issuerCommonName?: string; readonly issuerDn?: string }): string {
  const issuer = issuerOf(certificate);
  const facts = [
    certificate.notAfter !== undefined && `until ${formatDate(certificate.notAfter)}`,
    issuer !== '' && `issued by ${issuer}`,
    certificate.serialNumber && `serial number ending in ${certificate.serialNumber.slice(-8)}`,
  ];
  return `${titleOf(certificate)} – ${facts.filter(Boolean).join(', ')}`;
}
