// Page for a single certificate: its validity and actions at the top, followed by its details, ownership, chain and
// history.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { ApprovalsPanel } from '../approvals/approvals-panel.tsx';
import { PendingApprovalText } from '../approvals/waiting.tsx';
import { Compliance } from '../compliance-results/result-panel.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { CertificateLocations } from '../entities/certificate-locations.tsx';
import { Attributes } from './attributes.tsx';
import { CertificateActions } from './certificate-actions.tsx';
import classes from './certificate-page.module.css';
import { Chain } from './chain.tsx';
import { EvaluationsPanel } from '../evaluations/evaluations-panel.tsx';
import { Contents } from './contents.tsx';
import { codeTexts } from './filter-text.ts';
import { Extensions } from './extensions.tsx';
import { History } from './history.tsx';
import { certificateQuery } from '../../queries/certificates.ts';
import { CertificateState, displayStateOf } from './state.tsx';
import { Succession } from './succession.tsx';
import { Validation } from './validation.tsx';
import { describeReason } from './revocation-reason.tsx';
import { FailureReason } from './failure-reason.tsx';
import type { CertificateDetail } from './shapes.ts';

export function CertificatePage() {
  const certificate = useQuery(certificateQuery(useUuid()));
  return (
    <QueryView of={certificate} what="the certificate">
      {(certificate) => (
        <Page
          title={titleOf(certificate)}
          mark={<CertificateState certificate={certificate} />}
          description={issuerOf(certificate) && `Issued by ${issuerOf(certificate)}`}
          parent={{ to: paths.certificates.list, label: 'Inventory' }}
          actions={<CertificateActions certificate={certificate} />}
        >
          <Content certificate={certificate} />
        </Page>
      )}
    </QueryView>
  );
}

function Content({ certificate }: { readonly certificate: CertificateDetail }) {
  const { uuid, notBefore, notAfter, state, certificateContent } = certificate;
  return (
    <div className={classes.columns}>
      <Stack gap="lg">
        {certificate.archived && (
          <Callout tone="none" title="This certificate is archived">
            It is excluded from lists and statistics and is not validated. Unarchive it to make changes.
          </Callout>
        )}
        <Panel>
          {notBefore && notAfter && state !== 'failed' ? (
            <ValidityBar
              notBefore={notBefore}
              notAfter={notAfter}
              tone={displayStateOf(certificate).tone}
              ended={state === 'revoked' ? describeRevocation(certificate) : undefined}
            />
          ) : (
            <FailureReason certificate={certificate} />
          )}
          <Succession certificate={certificate} />
        </Panel>
        {state === 'pending_approval' && notBefore && (
          <Callout tone="wait" title="Revocation waiting for approval">
            <PendingApprovalText certificateUuid={uuid} />
          </Callout>
        )}
        {certificateContent && <Validation certificate={certificate} />}
        <CertificateCompliance certificate={certificate} />
        <Contents certificate={certificate} />
        {certificateContent && <Extensions uuid={uuid} />}
        <CustomValues
          resource="certificates"
          uuid={uuid}
          values={certificate.customAttributes}
          refresh={['certificates']}
          {...(certificate.raProfile && { needs: ['raProfiles', 'members', certificate.raProfile.uuid] })}
        />
        <Attributes certificate={certificate} />
        <Assignment certificate={certificate} />
      </Stack>
      <Stack gap="lg">
        {certificateContent && <Chain uuid={uuid} />}
        <CertificateLocations
          certificate={{ uuid, name: titleOf(certificate) }}
          isPushable={certificate.archived !== true && pushable.has(state)}
        />
        <ApprovalsPanel certificateUuid={uuid} />
        <History uuid={uuid} />
        <EvaluationsPanel title="Automation" of={{ objectUuid: uuid }} codes={codeTexts} empty="No rules evaluated" />
      </Stack>
    </div>
  );
}

const pushable: ReadonlySet<CertificateDetail['state']> = new Set([
  'issued',
  'requested',
  'pending_approval',
  'pending_issue',
]);
/**
 * The request's compliance is shown separately once it has been checked. It is checked only if the profile has rules
 * for requests.
 */
function CertificateCompliance({
  certificate: { uuid, certificateRequest: request },
}: {
  readonly certificate: CertificateDetail;
}) {
  return (
    <>
      <Compliance of={{ resource: 'certificates', objectUuid: uuid }} />
      {request && request.complianceStatus !== 'not_checked' && (
        <Compliance title="Request compliance" of={{ resource: 'certificateRequests', objectUuid: request.uuid }} />
      )}
    </>
  );
}

/**
 * Formats `Revoked on 3 May 2026: key compromise`. If another issuer revoked the certificate, appends the CRL or OCSP
 * responder that reported the revocation.
 */
const describeRevocation = ({ revokedAt, revocationReason, revocationSource }: CertificateDetail): string =>
  `Revoked${revokedAt === undefined ? '' : ` on ${formatDate(revokedAt)}`}${
    revocationReason === undefined ? '' : `: ${describeReason(revocationReason)}`
  }${revocationSource === undefined ? '' : ` (${revocationSource})`}`;

const protocols: Readonly<Record<string, string>> = { acme: 'ACME', scep: 'SCEP', cmp: 'CMP', est: 'EST' };

function Assignment({ certificate }: { readonly certificate: CertificateDetail }) {
  const maySeeProfiles = useMayList()('raProfiles');
  return (
    <Panel title="Ownership">
      <Facts facts={assignmentFacts(certificate, maySeeProfiles)} />
    </Panel>
  );
}

const assignmentFacts = (certificate: CertificateDetail, maySeeProfiles: boolean): readonly (Fact | undefined)[] => [
  {
    name: 'RA profile',
    value:
      certificate.raProfile && maySeeProfiles ? (
        <TextLink to={paths.raProfiles.one(certificate.raProfile.uuid)}>{certificate.raProfile.name}</TextLink>
      ) : (
        certificate.raProfile?.name
      ),
  },
  { name: 'Owner', value: certificate.owner ?? 'none' },
  { name: 'Groups', value: certificate.groups?.map(({ name }) => name).join(', ') },
  { name: 'Protocol', value: certificate.protocolInfo ? protocols[certificate.protocolInfo.protocol] : undefined },
  {
    name: 'Validity period',
    value:
      certificate.notBefore && certificate.notAfter
        ? `${formatDateTime(certificate.notBefore)} – ${formatDateTime(certificate.notAfter)}`
        : undefined,
  },
  { name: 'Identifier', value: certificate.uuid, code: true, copy: certificate.uuid },
];
