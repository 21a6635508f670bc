// `signetry certificates list`: lists the inventory page by page.
import { MAX_ITEMS_PER_PAGE } from '@signetry/contract';
import type { ListedCertificate } from '../certificates/responses.ts';
import { filtersOf, SELECTION_DETAIL, selectionFlags } from '../certificates/selection.ts';
import { titleOf } from '../certificates/title.ts';
import { command, type Flags, type FlagValues } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { EXIT } from '../exit-codes.ts';
import { stateTone, validationTone } from '../output/certificate-tones.ts';
import { printPage } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  ...selectionFlags,
  page: { value: 'NUMBER', initial: '1', about: 'Page number' },
  'page-size': { value: 'NUMBER', initial: '50', about: 'Certificates per page' },
  ...connectionFlags,
} as const satisfies Flags;

export const listCertificates = command({
  name: 'certificates list',
  about: 'List certificates in the inventory',
  details: [SELECTION_DETAIL],
  flags,
  examples: [
    'signetry certificates list --expiring 30 --state issued',
    'signetry certificates list --filter web --filter RA_PROFILE_NAME=default',
  ],
  async run({ flags, json }, context) {
    const body = searchOf(flags);
    const { client, options } = await connect(flags, context);
    const answer = await client.certificateSearch.searchCertificates({ body }, options);
    printPage(context, answer, {
      rows: answer.certificates,
      json,
      columns: columns(context.now()),
      what: 'certificates',
    });
    return EXIT.ok;
  },
});

const MAX_PAGE = 999_999_999;

const searchOf = (given: FlagValues<typeof flags>) => ({
  filters: filtersOf(given),
  pageNumber: parseWholeNumber('--page', { text: given.page, min: 1, max: MAX_PAGE }),
  itemsPerPage: parseWholeNumber('--page-size', { text: given['page-size'], min: 1, max: MAX_ITEMS_PER_PAGE }),
});

const columns = (now: number): readonly Column<ListedCertificate>[] => [
  { title: 'Name', text: titleOf },
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => stateTone(state) },
  {
    title: 'Validation',
    isMinor: true,
    text: ({ validationStatus }) => validationStatus,
    tone: ({ validationStatus }) => validationTone(validationStatus),
  },
  { title: 'Valid until', text: ({ notAfter }) => describeTime(notAfter, now) },
  { title: 'Serial number', isMinor: true, text: ({ serialNumber }) => serialNumber ?? '' },
  { title: 'UUID', isWhole: true, text: ({ uuid }) => uuid },
];
