// `signetry connectors …`: lists and shows connectors, and approves connectors that registered themselves.
import { ConnectorStatus, FunctionGroupCode } from '@signetry/contract';
import { command, type Argument } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findNamed } from '../output/find-named.ts';
import { printAll } from '../output/print-list.ts';
import { renderFacts, type Column, type Fact, type Tone } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

type Connector = Awaited<ReturnType<Connection['client']['connectors']['getConnector']>>;

const selector: Argument = { name: 'CONNECTOR', about: 'name or UUID of a connector' };

export const listConnectors = command({
  name: 'connectors list',
  about: 'List connectors',
  flags: {
    status: { value: 'STATUS', choices: ConnectorStatus.options, about: 'Only connectors with this status' },
    'function-group': {
      value: 'GROUP',
      choices: FunctionGroupCode.options,
      about: 'Only connectors that offer this function group',
    },
    kind: { value: 'KIND', about: 'Only connectors that offer this kind' },
    ...connectionFlags,
  },
  examples: ['signetry connectors list --status waitingForApproval'],
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const { status, kind, 'function-group': functionGroup } = flags;
    const query = {
      kind,
      status: ConnectorStatus.optional().parse(status), // The value is always one of the choices.
      functionGroup: FunctionGroupCode.optional().parse(functionGroup),
    };
    const connectors = await client.connectors.listConnectors({ query }, options);
    printAll(context, connectors, { json, columns, what: 'connectors' });
    return EXIT.ok;
  },
});

const columns: readonly Column<Connector>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Status', text: ({ status }) => status, tone: ({ status }) => toneOf(status) },
  { title: 'Function groups', text: offersOf },
  { title: 'URL', text: ({ url }) => url },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

function offersOf({ functionGroups }: Connector): string {
  return functionGroups.map(({ functionGroupCode, kinds }) => `${functionGroupCode}: ${kinds.join(', ')}`).join('; ');
}

function toneOf(status: ConnectorStatus): Tone | undefined {
  switch (status) {
    case 'connected':
      return 'good';
    case 'waitingForApproval':
      return 'warning';
    case 'offline':
    case 'failed':
      return 'bad';
  }
}

export const showConnector = command({
  name: 'connectors show',
  about: 'Show a connector and its current state',
  arguments: [selector],
  flags: connectionFlags,
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const params = { uuid: (await findConnector(connection, given)).uuid };
    const connector = await client.connectors.getConnector({ params }, options);
    const circuit = await client.connectorCalls.getConnectorCircuit({ params }, options);
    if (json) printJson(context, { ...connector, circuit });
    else context.out(factsOf(connector, circuit.state, context));
    return EXIT.ok;
  },
});

function factsOf(connector: Connector, circuit: string, { colour }: Context): string {
  const { name, uuid, url, status, authType, functionGroups } = connector;
  const facts: readonly Fact[] = [
    ['Name', name],
    ['UUID', uuid],
    ['URL', url],
    ['Status', status, toneOf(status)],
    ['Calls', circuit === 'closed' ? undefined : 'temporarily blocked after repeated failures', 'bad'],
    ['Authentication', authType],
    ...functionGroups.map((group): Fact => [group.name, group.kinds.join(', ') || 'no kinds']),
  ];
  return renderFacts(facts, { colour });
}

export const approveConnector = command({
  name: 'connectors approve',
  about: 'Approve a connector that registered itself; the platform then calls it for the first time',
  arguments: [selector],
  flags: connectionFlags,
  details: [
    '`signetry connectors list --status waitingForApproval` shows connectors that are waiting for approval. Check the URL first.',
  ],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid, name } = await findConnector(connection, given);
    await client.connectors.approveConnector({ params: { uuid } }, options);
    if (json) printJson(context, { uuid, name, approved: true });
    else context.err(`Connector "${name}" approved.`);
    return EXIT.ok;
  },
});

export const reconnectConnector = command({
  name: 'connectors reconnect',
  about: 'Refresh the function groups and kinds that a connector offers',
  arguments: [selector],
  flags: connectionFlags,
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid, name } = await findConnector(connection, given);
    const offers = await client.connectors.reconnectConnector({ params: { uuid } }, options);
    if (json) printJson(context, offers);
    else {
      const groups = offers.map(({ functionGroup }) => functionGroup);
      context.out(
        renderFacts(
          groups.map((group): Fact => [group.name, group.kinds.join(', ') || 'no kinds']),
          context,
        ),
      );
      context.err(`Connector "${name}" responded.`);
    }
    return EXIT.ok;
  },
});

async function findConnector({ client, options }: Connection, given: string): Promise<Connector> {
  const connectors = await client.connectors.listConnectors({}, options);
  return findNamed(connectors, given, { what: 'connector', list: 'signetry connectors list' });
}
