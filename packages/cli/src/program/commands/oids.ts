// `signetry oids list`: lists the object identifiers that administrators have named.
import { MAX_ITEMS_PER_PAGE, OidCategory, type CustomOidEntryResponseDto } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { printAll } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const listOids = command({
  name: 'oids list',
  about: 'List named object identifiers',
  flags: {
    category: { value: 'CATEGORY', choices: OidCategory.options, about: 'Only OIDs in this category' },
    ...connectionFlags,
  },
  examples: ['signetry oids list --category rdnAttributeType'],
  async run({ flags, json }, context) {
    const entries = await listAllEntries(await connect(flags, context), flags.category);
    printAll(context, entries, { json, columns, what: 'object identifiers' });
    return EXIT.ok;
  },
});

const columns: readonly Column<CustomOidEntryResponseDto>[] = [
  { title: 'Identifier', isWhole: true, text: ({ oid }) => oid },
  { title: 'Name', text: ({ displayName }) => displayName },
  { title: 'Category', text: ({ category }) => OidCategory.labels[category] },
  { title: 'Code', text: ({ additionalProperties: own }) => own?.code ?? '' },
  {
    title: 'Alternative codes',
    isMinor: true,
    text: ({ additionalProperties: own }) => own?.altCodes?.join(', ') ?? '',
  },
];

async function listAllEntries(
  { client, options }: Connection,
  category: string | undefined,
): Promise<CustomOidEntryResponseDto[]> {
  const filter = { fieldSource: 'property', fieldIdentifier: 'OID_ENTRY_CATEGORY', condition: 'EQUALS' } as const;
  const filters = category === undefined ? [] : [{ ...filter, value: category }];
  const entries: CustomOidEntryResponseDto[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const body = { filters, itemsPerPage: MAX_ITEMS_PER_PAGE, pageNumber };
    const { oidEntries, totalPages } = await client.oids.listCustomOidEntries({ body }, options);
    entries.push(...oidEntries);
    if (pageNumber >= totalPages) return entries;
  }
}
