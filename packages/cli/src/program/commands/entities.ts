// `signetry entities …`: lists and shows the servers, devices and stores on which certificates are installed.
import { MAX_ITEMS_PER_PAGE } from '@signetry/contract';
import { command, type Argument, type Flags } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { pageFlags, pageOf } from '../command-line/page-flags.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findEntity, type ListedEntity } from '../locations/find-location.ts';
import { contentText } from '../output/content-text.ts';
import { printPage } from '../output/print-list.ts';
import { renderFacts, type Column, type Fact } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const listFlags = {
  filter: {
    value: 'TEXT',
    many: true,
    about: 'Text in the name, or FIELD=VALUE for a search field, e.g. ENTITY_KIND=PEM',
  },
  ...pageFlags,
  ...connectionFlags,
} as const satisfies Flags;

const property = fieldOf('entities');

export const listEntities = command({
  name: 'entities list',
  about: 'List entities: servers and stores on which certificates are installed',
  flags: listFlags,
  examples: ['signetry entities list --filter shop'],
  async run({ flags, json }, context) {
    const filters: Filter[] = flags.filter.map(
      (text) =>
        fieldFilter('entities', { text, objects: 'Entities' }) ??
        property('ENTITY_NAME', { condition: 'CONTAINS', value: text }),
    );
    const body = { filters, ...pageOf(flags) };
    const { client, options } = await connect(flags, context);
    const answer = await client.entities.listEntityInstances({ body }, options);
    printPage(context, answer, { rows: answer.entities, json, columns, what: 'entities' });
    return EXIT.ok;
  },
});

const columns: readonly Column<ListedEntity>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Connector', text: ({ connectorName = '' }) => connectorName },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

const selector: Argument = { name: 'ENTITY', about: 'name or UUID of an entity' };

export const showEntity = command({
  name: 'entities show',
  about: 'Show an entity and its locations, as currently reported by its connector',
  arguments: [selector],
  flags: connectionFlags,
  examples: ['signetry entities show "web server"'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findEntity(connection, given);
    const entity = await client.entities.getEntityInstance({ params: { entityUuid: uuid } }, options);
    if (json) printJson(context, entity);
    else context.out(renderFacts([...factsOf(entity), ...(await locationFacts(connection, entity.name))], context));
    return EXIT.ok;
  },
});

type Entity = Awaited<ReturnType<Connection['client']['entities']['getEntityInstance']>>;

const factsOf = ({ uuid, name, kind, status, connectorName, attributes }: Entity): readonly Fact[] => [
  ['Name', name],
  ['UUID', uuid],
  ['Status', status, status === 'connected' ? 'good' : 'bad'],
  ['Kind', kind],
  ['Connector', connectorName],
  ...attributes.map((attribute): Fact => [attribute.label, contentText(attribute)]),
];

async function locationFacts({ client, options }: Connection, name: string): Promise<readonly Fact[]> {
  const ofEntity = fieldOf('locations')('LOCATION_ENTITY_INSTANCE', { condition: 'EQUALS', value: [name] });
  const body = { filters: [ofEntity], itemsPerPage: MAX_ITEMS_PER_PAGE };
  const { locations } = await client.locations.listLocations({ body }, options);
  return locations.map((location, place): Fact => [place === 0 ? 'Locations' : '', location.name]);
}
