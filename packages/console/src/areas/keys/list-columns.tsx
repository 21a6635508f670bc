// Columns of the key list. The name is always shown; the URL specifies the other columns and their order.
import type { KeyItemDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { createAlwaysShown } from '../../kit/always-shown.ts';
import { paths } from '../../kit/paths.ts';
import type { ChoosableColumn } from '../../ui/column-chooser.tsx';
import { ObjectLink } from '../../ui/object-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { describeUsages } from '../token-profiles/usages.tsx';
import classes from './list.module.css';
import { ItemState } from './state.tsx';
import { typeTexts, describeAlgorithm } from './texts.ts';

type KeyColumn = Column<KeyItemDto>;

const name: KeyColumn = {
  key: 'name',
  title: 'Name',
  cell: (item) => (
    <div className={classes.name}>
      <ObjectLink to={paths.keys.one(item.keyWrapperUuid)} name={item.keyName} detail={detailOf(item)} />
    </div>
  ),
};

/** Shows the key's name in the token if it differs, because users also search by that name. */
const detailOf = ({ name, keyName, description }: KeyItemDto): string =>
  [...(name === keyName ? [] : [`Name in the token: ${name}`]), ...(description ? [description] : [])].join('. ');

/** Returns a column that is hidden on narrow screens. */
const minorColumn = (key: string, title: string, cell: KeyColumn['cell']): KeyColumn => ({
  key,
  title,
  minor: true,
  cell,
});

const others: readonly KeyColumn[] = [
  { key: 'state', title: 'State', cell: (item) => <ItemState item={item} /> },
  { key: 'type', title: 'Type', cell: ({ type }) => typeTexts[type] },
  minorColumn('algorithm', 'Algorithm', describeAlgorithm),
  minorColumn('profile', 'Token profile', ({ tokenProfileName }) => tokenProfileName ?? 'none'),
  minorColumn('token', 'Token', ({ tokenInstanceName }) => tokenInstanceName ?? 'removed'),
  minorColumn('owner', 'Owner', ({ owner }) => owner ?? ''),
  minorColumn('groups', 'Groups', ({ groups }) => groups?.map((group) => group.name).join(', ') ?? ''),
  minorColumn('associations', 'Used by', ({ associations }) => (associations === 0 ? '' : associations)),
  minorColumn('usages', 'Usages', ({ usage }) => describeUsages(usage)),
  minorColumn('created', 'Created', ({ creationTime }) => formatDateTime(creationTime)),
];

/** Default columns. Wide windows also show the three columns below. */
export const defaultColumns: readonly string[] = ['state', 'type', 'algorithm', 'profile', 'token'];
const usualOnWide: readonly string[] = ['owner', 'groups', 'associations'];

export const choosableColumns: readonly ChoosableColumn[] = others.toSorted((a, b) =>
  a.title.localeCompare(b.title, 'en'),
);

const isKnown = (key: string): boolean => others.some((each) => each.key === key);

export const knownColumns = (keys: readonly string[] | undefined): readonly string[] | undefined =>
  keys && [...new Set(keys)].filter(isKnown);

const shownAlways = createAlwaysShown<KeyItemDto>();

/** Default columns depend on the window width; columns that the user chose are always shown. */
export function shownColumns(keys: readonly string[] | undefined): readonly KeyColumn[] {
  const chosen = knownColumns(keys);
  if (!chosen) return usualColumns;
  return [name, ...chosen.flatMap((key) => others.find((each) => each.key === key) ?? []).map(shownAlways)];
}

const usualColumns: readonly KeyColumn[] = [
  name,
  ...defaultColumns.flatMap((key) => others.filter((each) => each.key === key)),
  ...others.filter(({ key }) => usualOnWide.includes(key)).map((column) => ({ ...column, spare: true })),
];
