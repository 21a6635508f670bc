// `signetry certificates assign|archive|unarchive|delete`: change all certificates that match a search, and show the
// progress. Without --yes, the certificates are only counted.
import type { CertificateChangeDetail } from '@signetry/contract';
import { filtersOf, SELECTION_DETAIL, selectionFlags } from '../certificates/selection.ts';
import { command, type Command, type Flags, type FlagValues } from '../command-line/command.ts';
import { fieldOf, type Filter } from '../command-line/field-filter.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { findNamed } from '../output/find-named.ts';
import { printable } from '../output/printable.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findUser } from '../platform/find-principals.ts';

const PAUSE_MS = 500;

const flags = {
  ...selectionFlags,
  yes: { about: 'Apply the change; otherwise the certificates are only counted' },
  ...connectionFlags,
} as const satisfies Flags;

const DETAILS = [
  SELECTION_DETAIL,
  'The platform applies the change and continues if this command is interrupted; the console shows it under "Changes". Rejected certificates are reported, and the exit code is 1.',
];

interface CertificateSelection {
  readonly filters: Filter[];
  readonly includeArchived?: boolean;
}

interface Parts {
  readonly connection: Connection;
  readonly context: Context;
  readonly json: boolean;
  readonly isConfirmed: boolean;
  /** Past participle, as in "12 certificates would be archived". */
  readonly verb: string;
}

async function change(
  selection: CertificateSelection,
  { connection, context, json, isConfirmed, verb }: Parts,
  begin: () => Promise<CertificateChangeDetail>,
): Promise<ExitCode> {
  const { client, options } = connection;
  if (!isConfirmed) {
    const body = { ...selection, pageNumber: 1, itemsPerPage: 1 };
    const { totalItems } = await client.certificateSearch.searchCertificates({ body }, options);
    throw usageError(
      `${describeCount(totalItems)} would be ${verb}; nothing was changed.`,
      'Add --yes to apply the change.',
    );
  }
  let state = await begin();
  for (; state.finishedAt === undefined;) {
    context.status?.(`${(state.changed + state.refused).toLocaleString('en')} of ${describeCount(state.total)}`);
    await context.pause(PAUSE_MS, context.signal);
    state = await client.certificateChanges.getCertificateChange({ params: { uuid: state.uuid } }, options);
  }
  context.status?.('');
  if (json) printJson(context, state);
  else reportChange(state, { context, verb });
  return state.refused === 0 && state.stoppedBy === undefined ? EXIT.ok : EXIT.failed;
}

const describeCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'certificate' : 'certificates'}`;

function reportChange(
  { total, changed, refused, refusals, stoppedBy }: CertificateChangeDetail,
  { context, verb }: Pick<Parts, 'context' | 'verb'>,
): void {
  for (const { name, message } of refusals) context.err(printable(`${name}: ${message}`));
  const unnamed = refused - refusals.length;
  if (unnamed > 0) context.err(`And ${unnamed.toLocaleString('en')} more; see the change in the console.`);
  if (stoppedBy !== undefined)
    context.err(printable(`Stopped by ${stoppedBy}: ${describeCount(total - changed - refused)} not changed.`));
  context.out(`${describeCount(changed)} ${verb}${refused > 0 ? `, ${refused.toLocaleString('en')} rejected` : ''}.`);
}

interface PlainChangeSpec {
  readonly about: string;
  readonly verb: string;
  readonly details?: readonly string[];
  /** Additional restriction on the selection. Archived certificates are excluded by default. */
  readonly among?: CertificateSelection;
}

/** Creates the command for a change that needs no input other than the selected certificates. */
const plainChangeCommand = (
  name: string,
  { about, verb, details = [], among }: PlainChangeSpec,
  operation: 'archiveManyCertificates' | 'unarchiveManyCertificates' | 'deleteManyCertificates',
): Command =>
  command({
    name: `certificates ${name}`,
    about,
    flags,
    details: [...details, ...DETAILS],
    examples: [`signetry certificates ${name} --filter old.example --state revoked --yes`],
    async run({ flags: given, json }, context) {
      const { filters } = selectionOf(given);
      const selection = { ...among, filters: [...(among?.filters ?? []), ...filters] };
      const connection = await connect(given, context);
      const begin = () => connection.client.certificateChanges[operation]({ body: { selection } }, connection.options);
      return change(selection, { connection, context, json, isConfirmed: given.yes, verb }, begin);
    },
  });

/** Requires at least one condition, so that the whole inventory is never changed by mistake. */
function selectionOf(given: FlagValues<typeof selectionFlags>): CertificateSelection {
  const filters = filtersOf(given);
  if (filters.length > 0) return { filters };
  throw usageError('No certificates selected.', 'Specify --filter, --state or --expiring.');
}

export const archiveCertificates = plainChangeCommand(
  'archive',
  { about: 'Archive certificates', verb: 'archived' },
  'archiveManyCertificates',
);

const isArchived = fieldOf('certificates')('ARCHIVED', { condition: 'EQUALS', value: true });

export const unarchiveCertificates = plainChangeCommand(
  'unarchive',
  {
    about: 'Restore certificates from the archive',
    verb: 'restored from the archive',
    details: ['Only archived certificates are searched.'],
    among: { includeArchived: true, filters: [isArchived] },
  },
  'unarchiveManyCertificates',
);

export const deleteCertificates = plainChangeCommand(
  'delete',
  {
    about: 'Delete certificates from the inventory',
    verb: 'deleted',
    details: [
      'Known revocation data is retained. The certificates are not revoked, and certificates that other objects depend on are rejected.',
    ],
  },
  'deleteManyCertificates',
);

const assignFlags = {
  ...flags,
  owner: { value: 'USER', about: 'New owner' },
  'no-owner': { about: 'Remove the owner' },
  group: { value: 'GROUP', many: true, about: 'New groups, replacing the current ones' },
  'no-groups': { about: 'Remove the certificates from their groups' },
  'ra-profile': { value: 'PROFILE', about: 'New RA profile' },
  'no-ra-profile': { about: 'Remove the RA profile' },
} as const satisfies Flags;

export const assignCertificates = command({
  name: 'certificates assign',
  about: 'Assign an owner, groups or an RA profile to certificates',
  flags: assignFlags,
  details: DETAILS,
  examples: [
    'signetry certificates assign --filter shop.example --owner ann --yes',
    'signetry certificates assign --filter ISSUER_COMMON_NAME=Old --ra-profile public --group web --yes',
  ],
  async run({ flags: given, json }, context) {
    const selection = selectionOf(given);
    rejectContradictions(given);
    const connection = await connect(given, context);
    const assigned = await assignmentOf(connection, given);
    if (Object.keys(assigned).length === 0)
      throw usageError(
        'Nothing to assign.',
        'Specify --owner, --group or --ra-profile, or remove a value with a flag such as --no-owner.',
      );
    const begin = () =>
      connection.client.certificateChanges.updateManyCertificates(
        { body: { selection, ...assigned } },
        connection.options,
      );
    return change(selection, { connection, context, json, isConfirmed: given.yes, verb: 'changed' }, begin);
  },
});

function rejectContradictions(given: FlagValues<typeof assignFlags>): void {
  const both = (
    [
      ['owner', given.owner !== undefined && given['no-owner']],
      ['group', given.group.length > 0 && given['no-groups']],
      ['ra-profile', given['ra-profile'] !== undefined && given['no-ra-profile']],
    ] as const
  ).find(([, isBoth]) => isBoth);
  if (both) throw usageError(`--${both[0]} and its --no- counterpart are mutually exclusive.`, 'Specify one of them.');
}

async function assignmentOf(connection: Connection, given: FlagValues<typeof assignFlags>) {
  return {
    ...(given.owner !== undefined && { ownerUuid: (await findUser(connection, given.owner)).uuid }),
    ...(given['no-owner'] && { ownerUuid: '' }),
    ...(given.group.length > 0 && { groupUuids: await findGroupUuids(connection, given.group) }),
    ...(given['no-groups'] && { groupUuids: [] }),
    ...(given['ra-profile'] !== undefined && { raProfileUuid: await findProfileUuid(connection, given['ra-profile']) }),
    ...(given['no-ra-profile'] && { raProfileUuid: '' }),
  };
}

async function findGroupUuids({ client, options }: Connection, names: readonly string[]): Promise<string[]> {
  const groups = await client.groups.listGroups({}, options);
  return names.map((name) => findNamed(groups, name, { what: 'group' }).uuid);
}

async function findProfileUuid({ client, options }: Connection, name: string): Promise<string> {
  const profiles = await client.raProfiles.listRaProfiles({}, options);
  return findNamed(profiles, name, { what: 'RA profile' }).uuid;
}
