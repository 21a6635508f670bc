// `signetry audit list`: lists a page of the audit log, newest records first.
import { MAX_ITEMS_PER_PAGE, propertyFields, type AuditLogDto } from '@signetry/contract';
import { command, type Flags, type FlagValues } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { parseDurationMs, parseWholeNumber } from '../command-line/flag-values.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { printPage } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  filter: {
    value: 'FIELD=VALUE',
    many: true,
    about: 'Search field and its value, e.g. AUDIT_LOG_ACTOR_NAME=admin',
  },
  object: { value: 'UUID', about: 'Only records about this object' },
  since: { value: 'DURATION', about: 'Only records newer than this, e.g. 12h, 7d, 4w' },
  failures: { about: 'Only failed or denied operations' },
  page: { value: 'NUMBER', initial: '1', about: 'Page number' },
  'page-size': { value: 'NUMBER', initial: '50', about: 'Records per page' },
  ...connectionFlags,
} as const satisfies Flags;

export const listAudit = command({
  name: 'audit list',
  about: 'List audit records, newest first',
  details: ['All conditions must match.'],
  flags,
  examples: [
    'signetry audit list --since 7d --failures',
    'signetry audit list --filter AUDIT_LOG_ACTOR_NAME=admin --filter AUDIT_LOG_RESOURCE=raProfiles',
  ],
  async run({ flags, json }, context) {
    const body = searchOf(flags);
    const { client, options } = await connect(flags, context);
    const answer = await client.auditLogs.listAuditLogs({ body }, options);
    printPage(context, answer, { rows: answer.items, json, columns: columns(context.now()), what: 'records' });
    return EXIT.ok;
  },
});

const MAX_PAGE = 999_999_999;

const property = fieldOf('auditLogs');

function searchOf({ filter, object, since, failures, page, ...others }: FlagValues<typeof flags>) {
  const filters: Filter[] = filter.map((text) => {
    const found = fieldFilter('auditLogs', { text, objects: 'Audit records' });
    if (!found)
      throw usageError(
        `--filter must have the form FIELD=VALUE, not "${text}".`,
        `Field names are uppercase: ${Object.keys(propertyFields.auditLogs).join(', ')}.`,
      );
    return found;
  });
  if (object !== undefined) filters.push(property('AUDIT_LOG_RESOURCE_UUID', { condition: 'EQUALS', value: object }));
  if (since !== undefined) {
    const seconds = parseDurationMs('--since', since) / 1000;
    filters.push(property('AUDIT_LOG_TIMESTAMP', { condition: 'IN_PAST', value: `PT${seconds}S` }));
  }
  if (failures) filters.push(property('AUDIT_LOG_OPERATION_RESULT', { condition: 'EQUALS', value: ['failure'] }));
  return {
    filters,
    pageNumber: parseWholeNumber('--page', { text: page, min: 1, max: MAX_PAGE }),
    itemsPerPage: parseWholeNumber('--page-size', { text: others['page-size'], min: 1, max: MAX_ITEMS_PER_PAGE }),
  };
}

const columns = (now: number): readonly Column<AuditLogDto>[] => [
  { title: 'Time', text: ({ timestamp }) => describeTime(timestamp, now) },
  { title: 'Actor', text: ({ actor }) => actor.name ?? actor.type },
  { title: 'Operation', text: ({ operation }) => operation },
  { title: 'Resource', text: ({ resource }) => resource.type },
  { title: 'Objects', text: objectsText },
  {
    title: 'Result',
    text: ({ operationResult }) => operationResult,
    tone: ({ operationResult }) => (operationResult === 'failure' ? 'bad' : undefined),
  },
  { title: 'Source', isMinor: true, text: ({ source }) => source?.ipAddress ?? '' },
  { title: 'Message', isMinor: true, text: ({ message }) => message ?? '' },
];

const objectsText = ({ resource }: AuditLogDto): string =>
  (resource.objects ?? []).map(({ name, uuid }) => name ?? uuid ?? '').join(', ');
