// `signetry discoveries …`: lists, shows and starts discoveries, which connectors run to find certificates.
import { DiscoveryStatus, MAX_ITEMS_PER_PAGE, type DiscoveryProgress } from '@signetry/contract';
import { setTimeout as delay } from 'node:timers/promises';
import { command, type Argument, type Flags, type FlagValues } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { findNamed } from '../output/find-named.ts';
import { renderFacts, renderTable, type Column, type Fact, type Tone } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const listFlags = {
  filter: {
    value: 'TEXT',
    many: true,
    about: 'Text in the name, or FIELD=VALUE for a search field, e.g. DISCOVERY_CONNECTOR_NAME=network',
  },
  status: { value: 'STATUS', many: true, choices: DiscoveryStatus.options, about: 'Status' },
  page: { value: 'NUMBER', initial: '1', about: 'Page number' },
  'page-size': { value: 'NUMBER', initial: '50', about: 'Discoveries per page' },
  ...connectionFlags,
} as const satisfies Flags;

export const listDiscoveries = command({
  name: 'discoveries list',
  about: 'List discoveries, newest first',
  details: ['All conditions must match; multiple --status values match any of them.'],
  flags: listFlags,
  examples: ['signetry discoveries list --status inProgress --status processing'],
  async run({ flags, json }, context) {
    const body = searchOf(flags);
    const { client, options } = await connect(flags, context);
    const answer = await client.discoveries.listDiscoveries({ body }, options);
    const { discoveries, totalItems, pageNumber, totalPages } = answer;
    if (json) printJson(context, answer);
    else {
      if (discoveries.length > 0)
        context.out(renderTable(discoveries, { columns, colour: context.colour, width: context.width }));
      const count =
        totalItems === 0 ? 'No discoveries' : `${totalItems} ${totalItems === 1 ? 'discovery' : 'discoveries'}`;
      context.err(totalPages > 1 ? `${count}, page ${pageNumber} of ${totalPages}.` : `${count}.`);
    }
    return EXIT.ok;
  },
});

const MAX_PAGE = 999_999_999;

const property = fieldOf('discoveries');

function searchOf({ filter, status, page, 'page-size': size }: FlagValues<typeof listFlags>) {
  const filters: Filter[] = filter.map(
    (text) =>
      fieldFilter('discoveries', { text, objects: 'Discoveries' }) ??
      property('DISCOVERY_NAME', { condition: 'CONTAINS', value: text }),
  );
  if (status.length > 0) filters.push(property('DISCOVERY_STATUS', { condition: 'EQUALS', value: [...status] }));
  return {
    filters,
    pageNumber: parseWholeNumber('--page', { text: page, min: 1, max: MAX_PAGE }),
    itemsPerPage: parseWholeNumber('--page-size', { text: size, min: 1, max: MAX_ITEMS_PER_PAGE }),
  };
}

type ListedDiscovery = Awaited<
  ReturnType<Connection['client']['discoveries']['listDiscoveries']>
>['discoveries'][number];

const tones: Partial<Readonly<Record<DiscoveryStatus, Tone>>> = {
  completed: 'good',
  warning: 'warning',
  failed: 'bad',
};

const columns: readonly Column<ListedDiscovery>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Status', text: ({ status }) => status, tone: ({ status }) => tones[status] },
  { title: 'Certificates', text: ({ totalCertificatesDiscovered = 0 }) => String(totalCertificatesDiscovered) },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Started', text: ({ startTime }) => startTime ?? '' },
  { title: 'Connector', isMinor: true, text: ({ connectorName }) => connectorName },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

const selector: Argument = { name: 'DISCOVERY', about: 'name or UUID of a discovery' };

export const showDiscovery = command({
  name: 'discoveries show',
  about: 'Show the progress or result of a discovery',
  arguments: [selector],
  flags: connectionFlags,
  examples: ['signetry discoveries show "office network"'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const uuid = await uuidOf(connection, given);
    const progress = await client.discoveryRuns.getDiscoveryProgress({ params: { uuid } }, options);
    if (json) printJson(context, progress);
    else context.out(renderFacts(factsOf(progress), context));
    return EXIT.ok;
  },
});

function factsOf(progress: DiscoveryProgress): readonly Fact[] {
  const { uuid, status, phase, message, found, newlyDiscovered, repeated, refused, pages, pagesRead } = progress;
  return [
    ['UUID', uuid],
    ['Status', phase === 'ended' ? status : `${status}, ${phase}`, tones[status]],
    ['Message', message],
    ['Certificates', String(found)],
    ['New to the inventory', String(newlyDiscovered)],
    ['Duplicates', String(repeated)],
    ['Unreadable', String(refused)],
    ['Pages read', pages === undefined ? undefined : `${pagesRead} of ${pages}`],
    ['Results per second', progress.perSecond === undefined ? undefined : String(progress.perSecond)],
    ['Started', `${progress.startedAt} by ${progress.startedBy}`],
    ['Ended', progress.endedAt],
  ];
}

const startFlags = {
  connector: { value: 'CONNECTOR', required: true, about: 'Connector, by name or UUID' },
  kind: { value: 'KIND', about: 'Kind of discovery, if the connector offers multiple' },
  set: { value: 'NAME=VALUE', many: true, about: 'Attribute value for the connector, by name or label' },
  follow: { about: 'Wait until the discovery ends; the exit code reflects the result' },
  ...connectionFlags,
} as const satisfies Flags;

export const startDiscovery = command({
  name: 'discoveries start',
  about: 'Start a discovery',
  arguments: [{ name: 'NAME', about: 'name of the new discovery' }],
  flags: startFlags,
  details: ['With --follow, the command fails unless the discovery completes, with or without warnings.'],
  examples: ['signetry discoveries start "office network" --connector network-discovery --set ip=10.0.0.0/24 --follow'],
  async run({ args: [name = ''], flags, json }, context) {
    const { readNamedValues } = await import('../attributes/custom-values.ts');
    const { dataValues } = await import('../attributes/data-values.ts');
    const given = readNamedValues('--set', flags.set);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid: connectorUuid, kind } = await kindOf(connection, flags);
    const params = { uuid: connectorUuid, functionGroup: 'discoveryProvider', kind } as const;
    const attributes = dataValues(await client.connectors.getConnectorAttributes({ params }, options), given);
    const { uuid } = await client.discoveries.createDiscovery(
      { body: { name, connectorUuid, kind, attributes } },
      options,
    );
    const progress = await progressOf(connection, uuid, flags.follow);
    if (json) printJson(context, progress);
    else context.out(renderFacts(factsOf(progress), context));
    return progress.status === 'failed' ? EXIT.failed : EXIT.ok;
  },
});

async function kindOf({ client, options }: Connection, wanted: FlagValues<typeof startFlags>) {
  const query = { functionGroup: 'discoveryProvider' } as const;
  const offering = await client.connectors.listConnectors({ query }, options);
  const { uuid, name, functionGroups } = findNamed(offering, wanted.connector, {
    what: 'discovery connector',
    list: 'signetry connectors list',
  });
  const kinds = functionGroups.find((group) => group.functionGroupCode === 'discoveryProvider')?.kinds ?? [];
  const [first, ...others] = wanted.kind === undefined ? kinds : kinds.filter((kind) => kind === wanted.kind);
  if (first === undefined || others.length > 0)
    throw new CliFailure(`Specify the kind of discovery for connector "${name}" with --kind.`, {
      help: [`It offers ${kinds.join(', ') || 'nothing'}.`],
    });
  return { uuid, kind: first };
}

const POLL_MS = 1_000;

async function progressOf({ client, options }: Connection, uuid: string, waits: boolean): Promise<DiscoveryProgress> {
  for (;;) {
    const progress = await client.discoveryRuns.getDiscoveryProgress({ params: { uuid } }, options);
    if (!waits || progress.phase === 'ended') return progress;
    await delay(POLL_MS);
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function uuidOf({ client, options }: Connection, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  const body = { filters: [property('DISCOVERY_NAME', { condition: 'EQUALS', value: given })] };
  const { discoveries } = await client.discoveries.listDiscoveries({ body }, options);
  return findNamed(discoveries, given, { what: 'discovery', list: 'signetry discoveries list' }).uuid;
}
