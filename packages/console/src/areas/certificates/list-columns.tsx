// Inventory columns. The name is always shown; the URL specifies the other columns and their order.
import { ComplianceStatus, type CertificateSortField } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import { Fragment, useState } from 'react';
import { formatDate, formatRelative } from '../../format/dates.ts';
import { shortKeyText } from '../../format/key-text.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { createAlwaysShown } from '../../kit/always-shown.ts';
import { paths } from '../../kit/paths.ts';
import { attributeOfColumn } from '../../queries/certificate-search.ts';
import { ColumnChooser, type ChoosableColumn } from '../../ui/column-chooser.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { attributeColumn, nameOf, useAttributeColumns } from './attribute-columns.ts';
import classes from './list-page.module.css';
import type { ListedCertificate } from './shapes.ts';
import { CertificateState } from './state.tsx';
import { purposeTexts, validationTexts } from './texts.ts';

/** Allows long names to wrap after dots. */
const withLineBreaks = (title: string) =>
  title.split('.').map((part, at) => (
    // oxlint-disable-next-line no-array-index-key -- parts of a name stay in their places
    <Fragment key={at}>
      {at > 0 && '.'}
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const name: Column<ListedCertificate> = {
  key: 'name',
  title: 'Name',
  sort: 'commonName',
  width: 'minmax(5rem, 2fr)',
  cell: (certificate) => (
    <>
      <RowLink to={paths.certificates.one(certificate.uuid)} className={classes.name}>
        {withLineBreaks(titleOf(certificate))}
      </RowLink>
      {certificate.archived && <span className={classes.relative}>Archived</span>}
    </>
  ),
};

const DATE_WIDTH = 'min(8.5rem, 27vw)';

const text = (
  key: string,
  title: string,
  textOf: (certificate: ListedCertificate) => string | undefined,
  sort?: CertificateSortField,
): Column<ListedCertificate> => ({
  key,
  title,
  minor: true,
  ...(sort && { sort }),
  cell: (certificate) => visibleText(textOf(certificate) ?? ''),
});

/** Column for fingerprints and serial numbers, which users compare visually. */
const code = (
  key: string,
  title: string,
  textOf: (certificate: ListedCertificate) => string | undefined,
  sort?: CertificateSortField,
): Column<ListedCertificate> => ({
  ...text(key, title, textOf, sort),
  cell: (certificate) => <span className={classes.code}>{textOf(certificate) ?? ''}</span>,
});

const instant = (
  key: string,
  title: string,
  { sort, of }: { readonly sort: CertificateSortField; readonly of: (row: ListedCertificate) => string | undefined },
): Column<ListedCertificate> => ({
  key,
  title,
  sort,
  width: DATE_WIDTH,
  minor: true,
  cell: (certificate) => <Instant at={of(certificate)} />,
});

const yesOrNo = (is: boolean | undefined): string => (is ? 'Yes' : 'No');

const others: readonly Column<ListedCertificate>[] = [
  {
    key: 'state',
    title: 'State',
    sort: 'state',
    width: 'min(8rem, 30vw)',
    cell: (certificate) => (
      <>
        <CertificateState certificate={certificate} />
        {certificate.archived && <span className={classes.relative}>archived</span>}
      </>
    ),
  },
  { ...instant('expires', 'Expires', { sort: 'notAfter', of: ({ notAfter }) => notAfter }), minor: false },
  instant('issued', 'Valid from', { sort: 'notBefore', of: ({ notBefore }) => notBefore }),
  instant('created', 'Added', { sort: 'createdAt', of: ({ createdAt }) => createdAt }),
  text('issuer', 'Issuer', issuerOf, 'issuerCommonName'),
  text('profile', 'RA profile', ({ raProfile }) => raProfile?.name, 'raProfile'),
  {
    key: 'key',
    title: 'Key',
    sort: 'keySize',
    width: '8.5rem',
    minor: true,
    cell: ({ publicKeyAlgorithm, keySize }) => (
      <span className={classes.whole}>{shortKeyText(publicKeyAlgorithm, keySize)}</span>
    ),
  },
  text('purpose', 'Purpose', ({ purposes = [] }) => purposes.map((purpose) => purposeTexts[purpose]).join(', ')),
  text('owner', 'Owner', ({ owner }) => owner),
  text('groups', 'Groups', ({ groups }) => groups?.map((group) => group.name).join(', ')),
  code('serial', 'Serial number', ({ serialNumber }) => serialNumber, 'serialNumber'),
  text('validation', 'Validation', ({ validationStatus }) => validationTexts[validationStatus], 'validationStatus'),
  text('subject', 'Subject DN', ({ subjectDn }) => subjectDn),
  text('issuerDn', 'Issuer DN', ({ issuerDn }) => issuerDn),
  code('issuerSerial', 'Issuer serial number', ({ issuerSerialNumber }) => issuerSerialNumber),
  code('fingerprint', 'Fingerprint', ({ fingerprint }) => fingerprint),
  text('signature', 'Signature algorithm', ({ signatureAlgorithm }) => signatureAlgorithm),
  text('altSignature', 'Alternative signature algorithm', ({ altSignatureAlgorithm }) => altSignatureAlgorithm),
  text('altKey', 'Alternative key', ({ altPublicKeyAlgorithm: name, altKeySize }) => name && `${name} ${altKeySize ?? ''}`),
  text('protocol', 'Protocol', ({ protocol }) => protocol?.toUpperCase()),
  text('compliance', 'Compliance', ({ complianceStatus }) => ComplianceStatus.labels[complianceStatus]),
  text('privateKey', 'Has private key', ({ privateKeyAvailability }) => yesOrNo(privateKeyAvailability)),
  text('trusted', 'Trusted CA', ({ trustedCa }) => yesOrNo(trustedCa)),
  text('hybrid', 'Hybrid', ({ hybridCertificate }) => yesOrNo(hybridCertificate)),
  text('archived', 'Archived', ({ archived }) => yesOrNo(archived)),
]; // prettier-ignore

/**
 * Default columns, in order. Wide windows show the columns in both lists, laptops the first few, and phones the first
 * two.
 */
const usual: readonly string[] = ['state', 'expires', 'issuer', 'profile', 'key'];
const usualOnWide: readonly string[] = ['issued', 'owner', 'groups'];

const isKnown = (key: string): boolean =>
  others.some((each) => each.key === key) || attributeOfColumn(key) !== undefined;

const knownColumns = (keys: readonly string[] | undefined): readonly string[] | undefined =>
  keys && [...new Set(keys)].filter(isKnown);

const shownAlways = createAlwaysShown<ListedCertificate>();

/** Default columns depend on the window width; columns that the user chose are always shown. */
export function useShownColumns(keys: readonly string[] | undefined): readonly Column<ListedCertificate>[] {
  const chosen = knownColumns(keys);
  const fields = useAttributeColumns(chosen?.some((key) => attributeOfColumn(key)) ?? false);
  if (!chosen) return usualColumns;
  const find = (key: string) => others.find((each) => each.key === key);
  const attribute = (key: string) => {
    const shown = attributeOfColumn(key);
    return shown && attributeColumn(key, shown, fields.find((each) => each.key === key)?.title);
  };
  return [name, ...chosen.flatMap((key) => find(key) ?? attribute(key) ?? []).map(shownAlways)];
}

const usualColumns: readonly Column<ListedCertificate>[] = [
  name,
  ...usual.flatMap((key) => others.filter((each) => each.key === key)),
  ...others.filter(({ key }) => usualOnWide.includes(key)).map((column) => ({ ...column, spare: true })),
];

export function ColumnMenu(props: {
  readonly shown: readonly string[] | undefined;
  readonly onChange: (shown: readonly string[] | undefined) => void;
}) {
  const shown = knownColumns(props.shown);
  const [isOpened, setOpened] = useState(false);
  const attributes = useAttributeColumns(isOpened || (shown?.some((key) => attributeOfColumn(key)) ?? false));
  return (
    <ColumnChooser
      columns={[...others, ...withUnlisted(attributes, shown)].toSorted(byTitle)}
      shown={shown ?? usual}
      isUsual={shown === undefined}
      onOpen={() => setOpened(true)}
      onChange={props.onChange}
    />
  );
}

const byTitle = (a: ChoosableColumn, b: ChoosableColumn): number => a.title.localeCompare(b.title, 'en');

/** Lists chosen attributes that are no longer offered, so that they can be removed. */
const withUnlisted = (
  offered: readonly ChoosableColumn[],
  shown: readonly string[] = [],
): readonly ChoosableColumn[] => [
  ...offered,
  ...shown.flatMap((key) => {
    const attribute = attributeOfColumn(key);
    return attribute && offered.every((each) => each.key !== key) ? [{ key, title: nameOf(attribute) }] : [];
  }),
];

function Instant({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span className={classes.relative}>not issued</span>;
  return (
    <span title={at} className={classes.whole}>
      {formatDate(at)}
      <span className={classes.relative}>{formatRelative(at)}</span>
    </span>
  );
}
