// Revocation reasons (RFC 5280 §5.3.1): labels, meanings, and the field for choosing one.
import { Select } from '@mantine/core';
import type { CertificateRevocationReason } from '@signetry/contract';

interface ReasonText {
  readonly value: CertificateRevocationReason;
  readonly label: string;
  readonly meaning: string;
}

/** Reasons offered to users, most frequent first. */
const reasons: readonly ReasonText[] = [
  {
    value: 'unspecified',
    label: 'Unspecified',
    meaning: 'No other reason applies. The key can be used in a new certificate.',
  },
  {
    value: 'superseded',
    label: 'Superseded by another certificate',
    meaning: 'The certificate was replaced, and there is no sign that its key is known to others.',
  },
  {
    value: 'cessationOfOperation',
    label: 'Cessation of operation',
    meaning: 'The host or service that it was issued for is no longer operated or no longer uses these names.',
  },
  {
    value: 'keyCompromise',
    label: 'Key compromise',
    meaning: 'The private key is, or may be, known to others. No further certificates will be issued for this key.',
  },
  {
    value: 'affiliationChanged',
    label: 'Affiliation changed',
    meaning: 'The organization or other names in it are no longer correct, and its key is not compromised.',
  },
  {
    value: 'privilegeWithdrawn',
    label: 'Privilege withdrawn',
    meaning: 'Its holder is no longer authorized to use it, and its key is not compromised.',
  },
];

/** A hold is not final, so it is offered only if the certificate has not been revoked yet. */
const hold: ReasonText = {
  value: 'certificateHold',
  label: 'On hold',
  meaning:
    'Suspended until it is released or permanently revoked. Not permitted for publicly trusted TLS certificates.',
};

/** Returns the label of a reason, or its code if users cannot choose it here. */
export const describeReason = (reason: CertificateRevocationReason): string =>
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
