// `signetry credentials …`: lists and shows credentials for connectors, without their secret values.
import { command, type Argument } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findNamed } from '../output/find-named.ts';
import { contentText } from '../output/content-text.ts';
import { printAll } from '../output/print-list.ts';
import { renderFacts, type Column, type Fact } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

type Credential = Awaited<ReturnType<Connection['client']['credentials']['getCredential']>>;

const selector: Argument = { name: 'CREDENTIAL', about: 'name or UUID of a credential' };

export const listCredentials = command({
  name: 'credentials list',
  about: 'List credentials',
  flags: { kind: { value: 'KIND', about: 'Only credentials of this kind' }, ...connectionFlags },
  examples: ['signetry credentials list --kind Basic'],
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const all = await client.credentials.listCredentials({}, options);
    const credentials = all.filter(({ kind }) => flags.kind === undefined || kind === flags.kind);
    printAll(context, credentials, { json, columns, what: 'credentials' });
    return EXIT.ok;
  },
});

const columns: readonly Column<Credential>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'State', text: stateOf, tone: ({ enabled }) => (enabled ? 'good' : 'warning') },
  { title: 'Connector', text: ({ connectorName = '' }) => connectorName },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

function stateOf({ enabled }: Credential): string {
  return enabled ? 'enabled' : 'disabled';
}

export const showCredential = command({
  name: 'credentials show',
  about: 'Show a credential, without its secrets',
  arguments: [selector],
  flags: connectionFlags,
  async run({ args: [given = ''], flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const { uuid } = findNamed(await client.credentials.listCredentials({}, options), given, {
      what: 'credential',
      list: 'signetry credentials list',
    });
    const credential = await client.credentials.getCredential({ params: { uuid } }, options);
    if (json) printJson(context, credential);
    else context.out(renderFacts(factsOf(credential), context));
    return EXIT.ok;
  },
});

function factsOf(credential: Credential): readonly Fact[] {
  const { name, uuid, kind, connectorName, attributes, customAttributes = [] } = credential;
  return [
    ['Name', name],
    ['UUID', uuid],
    ['Kind', kind],
    ['State', stateOf(credential), credential.enabled ? 'good' : 'warning'],
    ['Connector', connectorName],
    ...[...attributes, ...customAttributes].map((each): Fact => [each.label ?? each.name, contentText(each)]),
  ];
}
