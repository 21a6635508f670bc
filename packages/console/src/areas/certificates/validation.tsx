// Whether a certificate passes validation: the reason when it does not, what helps, and the checks one by one.
import { Button, Stack, Text } from '@mantine/core';
import type { CertificateValidationCheckDto, CertificateValidationResultDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { visibleText } from '@signetry/pki/hidden-characters';
import { Reading } from '../../kit/reading.tsx';
import { validationQuery } from '../../queries/certificates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State, type Tone } from '../../ui/state.tsx';
import type { CertificateDetail } from './shapes.ts';
import { TrustButton } from './trust-button.tsx';
import { faultOf, type Fault } from './validation-faults.ts';
import classes from './validation.module.css';
import { checkWords, validationWords } from './words.ts';

export function Validation({ certificate }: { readonly certificate: CertificateDetail }) {
  const { validationStatus } = certificate;
  const isAmiss = validationStatus === 'invalid' || validationStatus === 'failed';
  const result = useQuery({ ...validationQuery(certificate), enabled: isAmiss });
  const isAsked = isAmiss || result.data !== undefined || result.isFetching || result.isError;
  return (
    <Panel
      title="Validation"
      actions={
        <Button size="xs" variant="default" loading={result.isFetching} onClick={() => void result.refetch()}>
          Validate now
        </Button>
      }
    >
      {isAsked ? (
        <Reading of={result} what="the validation">
          {(answer) => <Result result={answer} certificate={certificate} />}
        </Reading>
      ) : (
        <Text size="sm" c="dimmed">
          Result of the last validation: {validationWords[validationStatus]}.
        </Text>
      )}
    </Panel>
  );
}

function Result(props: { readonly result: CertificateValidationResultDto; readonly certificate: CertificateDetail }) {
  const { result, certificate } = props;
  const { validationChecks = {}, validationTimestamp, message } = result;
  const fault = faultOf(result, certificate);
  const checks = Object.values(validationChecks);
  return (
    <Stack gap="md">
      {fault && <FaultCallout fault={fault} certificate={certificate} />}
      {checks.length === 0 && message !== undefined && <Text size="sm">{visibleText(message)}</Text>}
      <ul className={classes.checks}>
        {checks.map((check) => (
          <Check key={check.validationCheck} check={check} isUntrusted={fault?.isTrustMissing === true} />
        ))}
      </ul>
      {validationTimestamp !== undefined && (
        <Text size="xs" c="dimmed">
          Validated {formatDateTime(validationTimestamp)}
        </Text>
      )}
    </Stack>
  );
}

function FaultCallout({ fault, certificate }: { readonly fault: Fault; readonly certificate: CertificateDetail }) {
  return (
    <Callout tone={fault.isTrustMissing ? 'none' : 'bad'} title={fault.title}>
      {fault.remedy}
      {fault.isTrustMissing && <TrustButton certificate={certificate} />}
    </Callout>
  );
}

const tones: Readonly<Record<CertificateValidationCheckDto['status'], Tone>> = {
  valid: 'good',
  expiring: 'warn',
  invalid: 'bad',
  failed: 'bad',
  revoked: 'bad',
  expired: 'bad',
  inactive: 'wait',
  not_checked: 'none',
};

function Check({
  check,
  isUntrusted,
}: {
  readonly check: CertificateValidationCheckDto;
  readonly isUntrusted: boolean;
}) {
  const { validationCheck, status, message } = check;
  const isOnlyUntrusted = isUntrusted && validationCheck === 'certificate_chain';
  return (
    <li className={classes.check}>
      <State tone={isOnlyUntrusted ? 'none' : tones[status]}>
        {isOnlyUntrusted ? 'Not trusted here' : validationWords[status]}
      </State>
      <span>
        <Text span fw={600} size="sm">
          {checkWords[validationCheck]}
        </Text>
        {message && (
          <Text span size="sm" c="dimmed" className={classes.message}>
            {readable(message)}
          </Text>
        )}
      </span>
    </li>
  );
}

/** The platform writes instants in ISO 8601. */
const readable = (message: string): string =>
  visibleText(message).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatDateTime(instant));
