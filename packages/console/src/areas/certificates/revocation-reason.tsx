// The reason for a revocation (RFC 5280 §5.3.1): its words and what it means, and the field that asks for it.
import { Select } from '@mantine/core';
import type { CertificateRevocationReason } from '@signetry/contract';

interface ReasonWords {
  readonly value: CertificateRevocationReason;
  readonly label: string;
  readonly meaning: string;
}

/** Reasons that people give, the most frequent first. */
const reasons: readonly ReasonWords[] = [
  {
    value: 'unspecified',
    label: 'Unspecified',
    meaning: 'None of the others applies. The key can be used in a new certificate.',
  },
  {
    value: 'superseded',
    label: 'Superseded by another certificate',
    meaning: 'It was replaced, and nothing suggests that others have its key.',
  },
  {
    value: 'cessationOfOperation',
    label: 'Cessation of operation',
    meaning: 'The host or service that it was issued for is no longer operated, or no longer has these names.',
  },
  {
    value: 'keyCompromise',
    label: 'Key compromise',
    meaning: 'Others have its private key, or may have it. No certificate is issued for this key again.',
  },
  {
    value: 'affiliationChanged',
    label: 'Affiliation changed',
    meaning: 'The organization or other names in it are no longer right, and others do not have its key.',
  },
  {
    value: 'privilegeWithdrawn',
    label: 'Privilege withdrawn',
    meaning: 'Its holder no longer has the right to use it, and others do not have its key.',
  },
];

/** Not final, so it is offered where the certificate is not revoked yet. */
const hold: ReasonWords = {
  value: 'certificateHold',
  label: 'On hold',
  meaning: 'Suspended until it is released or revoked permanently. Not allowed for publicly trusted TLS certificates.',
};

/** A reason that nobody chooses here stands for itself. */
export const wordsOfReason = (reason: CertificateRevocationReason): string =>
  [...reasons, hold].find(({ value }) => value === reason)?.label ?? reason;

export interface ReasonFieldProps {
  readonly reason: CertificateRevocationReason;
  readonly onChange: (reason: CertificateRevocationReason) => void;
  readonly withHold: boolean;
}

export function ReasonField({ reason, onChange, withHold }: ReasonFieldProps) {
  const offered = withHold ? [...reasons, hold] : reasons;
  return (
    <Select
      label="Reason"
      description={offered.find(({ value }) => value === reason)?.meaning}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={offered.map(({ value, label }) => ({ value, label }))}
      value={reason}
      onChange={(value) => onChange(offered.find((each) => each.value === value)?.value ?? 'unspecified')}
    />
  );
}
