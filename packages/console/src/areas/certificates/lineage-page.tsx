// The lineage of a name: all certificates issued for it, newest first. Each is shown on a timeline, with its
// predecessors and its requester.
import { Text } from '@mantine/core';
import type { CertificateEvent } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { formatDate, formatPeriod } from '../../format/dates.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateQuery, lineageQuery } from '../../queries/certificates.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './lineage-page.module.css';
import { positionOn, spanOf, type TimeSpan } from './lineage-span.ts';
import type { CertificateDetail, CertificateLineage, LineageCertificate } from './shapes.ts';
import { CertificateState, displayStateOf } from './state.tsx';

export function LineagePage() {
  const uuid = useUuid();
  return (
    <QueryView of={useQuery(certificateQuery(uuid))} what="the certificate">
      {(certificate) => (
        <Page
          title={`All certificates for ${titleOf(certificate)}`}
          description="Certificates with the same subject and SANs, or linked to it by renewals, newest first."
          parent={{ to: paths.certificates.one(uuid), label: titleOf(certificate) }}
        >
          <Panel>
            <QueryView of={useLineage(uuid)} what="the certificates for this name">
              {(lineage) => <Lineage lineage={lineage} of={certificate} />}
            </QueryView>
          </Panel>
        </Page>
      )}
    </QueryView>
  );
}

const useLineage = (uuid: string) => useQuery(lineageQuery(uuid));

function Lineage({ lineage, of }: { readonly lineage: CertificateLineage; readonly of: CertificateDetail }) {
  const { certificates, hasMore } = lineage;
  const span = spanOf(certificates, Date.now());
  return (
    <>
      {span && <Scale span={span} />}
      <ol className={classes.lineage}>
        {certificates.map((certificate) => (
          <One key={certificate.uuid} {...{ certificate, certificates, of, span }} />
        ))}
      </ol>
      {certificates.length === 1 && (
        <Text size="sm" c="dimmed" mt="md">
          No other certificates for this name are visible to you.
        </Text>
      )}
      {hasMore && (
        <Text size="sm" c="dimmed" mt="md">
          Showing the latest {certificates.length}; older ones are not shown.
        </Text>
      )}
    </>
  );
}

/** Start and end of the timeline. */
function Scale({ span }: { readonly span: TimeSpan }) {
  return (
    <div className={classes.scale} aria-hidden="true">
      <span>{formatDate(new Date(span.fromMs))}</span>
      <span>{formatDate(new Date(span.untilMs))}</span>
    </div>
  );
}

interface LineageEntryProps {
  readonly certificate: LineageCertificate;
  readonly certificates: readonly LineageCertificate[];
  readonly of: CertificateDetail;
  readonly span: TimeSpan | undefined;
}

function One({ certificate, certificates, of, span }: LineageEntryProps) {
  const { uuid, predecessors, archived } = certificate;
  const title = titleOf(certificate);
  const isThis = uuid === of.uuid;
  return (
    <li className={classes.one} aria-current={isThis ? 'true' : undefined}>
      <div className={classes.head}>
        {isThis ? (
          <Text span fw={650}>
            {periodOf(certificate)}
          </Text>
        ) : (
          <Link to={paths.certificates.one(uuid)} className={classes.period}>
            {periodOf(certificate)}
          </Link>
        )}
        <CertificateState certificate={certificate} />
        {archived && (
          <Text span size="xs" c="dimmed">
            Archived
          </Text>
        )}
        {isThis && (
          <Text span size="xs" c="dimmed">
            This certificate
          </Text>
        )}
      </div>
      {span && <Bar certificate={certificate} span={span} />}
      <ul className={classes.facts}>
        {title !== titleOf(of) && <li>{title}</li>}
        {predecessors.map(({ uuid: before, relationType }) => (
          <li key={before}>
            <Relation {...{ certificate, relationType }} before={certificates.find((each) => each.uuid === before)} />
          </li>
        ))}
        {factsOf(certificate).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </li>
  );
}

const periodOf = ({ notBefore, notAfter }: LineageCertificate): string =>
  notBefore && notAfter
    ? `${formatDate(notBefore)} – ${formatDate(notAfter)} (${formatPeriod(notBefore, notAfter)})`
    : 'Not issued yet';

function Bar({ certificate, span }: Pick<LineageEntryProps, 'certificate'> & { readonly span: TimeSpan }) {
  const place = positionOn(span, certificate);
  if (!place) return null;
  // React's CSSProperties type does not include custom properties.
  const style = { '--start': place.start, '--length': place.length, '--today': span.today } as CSSProperties;
  return (
    <div className={classes.track} style={style} data-tone={displayStateOf(certificate).tone} aria-hidden="true">
      <span className={classes.bar} />
      <span className={classes.today} />
    </div>
  );
}

const relationWords: Readonly<Record<LineageCertificate['predecessors'][number]['relationType'], string>> = {
  renewal: 'Renews',
  rekey: 'Rekeys',
  replacement: 'Replaces',
  pending: 'Will replace',
};

interface RelationProps {
  readonly certificate: LineageCertificate;
  readonly before: LineageCertificate | undefined;
  readonly relationType: keyof typeof relationWords;
}

function Relation({ certificate, before, relationType }: RelationProps) {
  if (!before) return null;
  return (
    <>
      {relationWords[relationType]}{' '}
      <TextLink to={paths.certificates.one(before.uuid)} inSentence>
        {before.notBefore ? `the certificate of ${formatDate(before.notBefore)}` : 'the certificate being issued'}
      </TextLink>
      {before.keyFingerprint === certificate.keyFingerprint ? ', with the same key' : ', with a new key'}
    </>
  );
}

const originWords: Partial<Readonly<Record<CertificateEvent, string>>> = {
  'Request Certificate': 'Requested',
  'Issue Certificate': 'Issued',
  'Renew Certificate': 'Renewal requested',
  'Rekey Certificate': 'Rekey requested',
  'Upload Certificate': 'Uploaded',
  'Certificate Discovered': 'Discovered',
};

/** Describes the issuer, the requester, and the protocol over which the certificate was requested. */
function factsOf(certificate: LineageCertificate): readonly string[] {
  const { raProfile, protocol, origin } = certificate;
  const issuer = issuerOf(certificate);
  return [
    issuer ? `Issued by ${issuer}${raProfile ? ` under ${raProfile.name}` : ''}` : raProfile?.name,
    origin && `${originWords[origin.event] ?? 'Added'} by ${origin.username}${protocol ? ` over ${protocol.toUpperCase()}` : ''}`,
  ].filter((fact) => fact !== undefined);
} // prettier-ignore
