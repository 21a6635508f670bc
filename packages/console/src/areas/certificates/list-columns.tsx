// Columns of the inventory. The name is always shown; the URL says which others are.
import { ActionIcon, Checkbox, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { Fragment } from 'react';
import { formatDate, formatRelative } from '../../format/dates.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { RowLink } from '../../ui/row-link.tsx';
import type { Column } from '../../ui/table.tsx';
import classes from './list-page.module.css';
import type { ListedCertificate } from './shapes.ts';
import { CertificateState } from './state.tsx';

/** Long names are broken after their dots. */
const breakable = (title: string) =>
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
    <RowLink to={paths.certificates.one(certificate.uuid)} className={classes.name}>
      {breakable(titleOf(certificate))}
    </RowLink>
  ),
};

const DATE_WIDTH = 'min(8.5rem, 27vw)';

const others: readonly Column<ListedCertificate>[] = [
  {
    key: 'state',
    title: 'State',
    sort: 'state',
    width: 'min(8rem, 30vw)',
    cell: (certificate) => <CertificateState certificate={certificate} />,
  },
  {
    key: 'expires',
    title: 'Expires',
    sort: 'notAfter',
    width: DATE_WIDTH,
    cell: ({ notAfter }) => <Instant at={notAfter} />,
  },
  {
    key: 'issued',
    title: 'Valid from',
    sort: 'notBefore',
    width: DATE_WIDTH,
    minor: true,
    cell: ({ notBefore }) => <Instant at={notBefore} />,
  },
  {
    key: 'created',
    title: 'Added',
    sort: 'createdAt',
    width: DATE_WIDTH,
    minor: true,
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
  {
    key: 'issuer',
    title: 'Issuer',
    sort: 'issuerCommonName',
    minor: true,
    cell: issuerOf,
  },
  {
    key: 'profile',
    title: 'RA profile',
    sort: 'raProfile',
    minor: true,
    cell: ({ raProfile }) => raProfile?.name ?? '',
  },
  {
    key: 'key',
    title: 'Key',
    sort: 'keySize',
    width: '8.5rem',
    minor: true,
    cell: ({ publicKeyAlgorithm, keySize }) => (
      <span className={classes.whole}>{`${publicKeyAlgorithm} ${keySize}`}</span>
    ),
  },
  { key: 'owner', title: 'Owner', minor: true, cell: ({ owner }) => owner ?? '' },
  {
    key: 'groups',
    title: 'Groups',
    minor: true,
    cell: ({ groups }) => groups?.map((group) => group.name).join(', ') ?? '',
  },
  {
    key: 'serial',
    title: 'Serial number',
    sort: 'serialNumber',
    minor: true,
    cell: ({ serialNumber }) => serialNumber ?? '',
  },
];

const usual: readonly string[] = ['state', 'expires', 'issuer', 'profile', 'key'];

export const shownColumns = (keys: readonly string[] = usual): readonly Column<ListedCertificate>[] => [
  name,
  ...others.filter(({ key }) => keys.includes(key)),
];

export function ColumnMenu(props: {
  readonly shown: readonly string[] | undefined;
  readonly onChange: (shown: readonly string[] | undefined) => void;
}) {
  const { shown = usual, onChange } = props;
  const toggle = (key: string): void => {
    const next = others.map((each) => each.key).filter((each) => (each === key) !== shown.includes(each));
    onChange(next.join() === usual.join() ? undefined : next);
  };
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Choose columns" title="Choose columns">
          <IconColumns3 size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ key, title }) => (
          <Menu.Item
            key={key}
            role="menuitemcheckbox"
            aria-checked={shown.includes(key)}
            onClick={() => toggle(key)}
            leftSection={<Checkbox.Indicator size="xs" checked={shown.includes(key)} />}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Instant({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span className={classes.relative}>not issued</span>;
  return (
    <span title={at} className={classes.whole}>
      {formatDate(at)}
      <span className={classes.relative}>{formatRelative(at)}</span>
    </span>
  );
}
