// All object identifiers with a name.
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { oidListQuery, type OidEntry } from '../../queries/oids.ts';
import classes from './list-page.module.css';
import { describeCategory } from './texts.ts';

const columns: readonly FullListColumn<OidEntry>[] = [
  nameColumn(paths.oids, ({ description }) => description),
  {
    key: 'oid',
    title: 'Identifier',
    by: ({ oid }) => oid,
    cell: ({ oid }) => <span className={classes.oid}>{oid}</span>,
  },
  textColumn('category', 'Category', ({ category }) => describeCategory(category)),
  textColumn('code', 'Code', ({ additionalProperties: own }) => own?.code),
];

export function OidListPage() {
  return (
    <ObjectListPage
      title="Object identifiers"
      description="Names for object identifiers (OIDs) that the platform does not know: name attributes with their codes, extended key usages, extensions and policies."
      paths={paths.oids}
      create={{ label: 'New object identifier', needs: ['oids', 'create'] }}
      query={useQuery(oidListQuery)}
      what="object identifiers"
      columns={columns}
      textOf={textOf}
      empty={{
        title: 'No object identifiers yet',
        text: 'Identifiers without a name are shown as numbers in certificates. Name the ones that your organization uses.',
      }}
    />
  );
}

const textOf = ({ oid, name, description, category, additionalProperties: own }: OidEntry): string =>
  [oid, name, description, describeCategory(category), own?.code, ...(own?.altCodes ?? [])].join(' ');
