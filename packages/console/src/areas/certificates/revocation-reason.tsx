// The reason for a revocation (RFC 5280 §5.3.1): its words, and the field that asks for it.
import { Select } from '@mantine/core';
import type { CertificateRevocationReason } from '@signetry/contract';

/** The most frequent first. */
const reasons: readonly { readonly value: CertificateRevocationReason; readonly label: string }[] = [
  { value: 'unspecified', label: 'Unspecified' },
  { value: 'superseded', label: 'Superseded by another certificate' },
  { value: 'cessationOfOperation', label: 'Cessation of operation' },
  { value: 'keyCompromise', label: 'Key compromise' },
  { value: 'affiliationChanged', label: 'Affiliation changed' },
  { value: 'privilegeWithdrawn', label: 'Privilege withdrawn' },
  { value: 'certificateHold', label: 'Certificate hold' },
];

/** A reason that nobody chooses here stands for itself. */
export const wordsOfReason = (reason: CertificateRevocationReason): string =>
  reasons.find(({ value }) => value === reason)?.label ?? reason;

export interface ReasonFieldProps {
  readonly reason: CertificateRevocationReason;
  readonly onChange: (reason: CertificateRevocationReason) => void;
}

export function ReasonField({ reason, onChange }: ReasonFieldProps) {
  return (
    <Select
      label="Reason"
      data={[...reasons]}
      value={reason}
      onChange={(value) => onChange(reasons.find((each) => each.value === value)?.value ?? 'unspecified')}
    />
  );
}
