// Shows whether a certificate passes validation; if not, the reason and remedy. Also shows the individual checks for
// every certificate in its chain.
import { Button, Stack, Text } from '@mantine/core';
import type { ValidatedChainMember } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { visibleText } from '@signetry/pki/hidden-characters';
import { QueryView } from '../../kit/query-view.tsx';
import { validationQuery } from '../../queries/certificates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { CertificateDetail } from './shapes.ts';
import { TrustButton } from './trust-button.tsx';
import { faultOf, type Fault } from './validation-faults.ts';
import { ValidationTree } from './validation-tree.tsx';
import { validationTexts } from './texts.ts';

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
        <QueryView of={result} what="the validation result">
          {(chain) => <Result chain={chain} certificate={certificate} />}
        </QueryView>
      ) : (
        <Text size="sm" c="dimmed">
          Result of the last validation: {validationTexts[validationStatus]}.
        </Text>
      )}
    </Panel>
  );
}

interface ResultProps {
  readonly chain: readonly ValidatedChainMember[];
  readonly certificate: CertificateDetail;
}

function Result({ chain, certificate }: ResultProps) {
  const [own] = chain;
  if (!own) return null;
  const { validationChecks, validationTimestamp, message } = own.result;
  const fault = faultOf(own.result, certificate);
  return (
    <Stack gap="md">
      {fault && <FaultCallout fault={fault} certificate={certificate} />}
      {validationChecks === undefined ? (
        <Text size="sm">{visibleText(message ?? '')}</Text>
      ) : (
        <ValidationTree chain={chain} />
      )}
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
