// A number of certificates, with a link to them in the inventory.
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import classes from './insights.module.css';

export interface CountLinkProps {
  readonly count: number;
  readonly search: CertificateSearch;
  /** Text after the number, for screen readers. */
  readonly what: string;
}

export function CountLink({ count, search, what }: CountLinkProps) {
  if (count === 0) return <span className={classes.zero}>0</span>;
  return (
    <Link
      to={paths.certificates.list}
      search={search as never}
      className={classes.count}
      aria-label={`${formatCertificateCount(count)} ${what}`}
    >
      {formatCount(count)}
    </Link>
  );
}

/** Formats `1 certificate`, `1,200 certificates`. */
export const formatCertificateCount = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'certificate' : 'certificates'}`;
