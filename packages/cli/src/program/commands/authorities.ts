// `signetry authorities list`: lists the authorities that issue certificates.
import { command } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { printAll } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

type Authority = Awaited<ReturnType<Connection['client']['authorities']['listAuthorityInstances']>>[number];

export const listAuthorities = command({
  name: 'authorities list',
  about: 'List authorities',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const authorities = await client.authorities.listAuthorityInstances({}, options);
    printAll(context, authorities, { json, columns, what: 'authorities' });
    return EXIT.ok;
  },
});

const columns: readonly Column<Authority>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Connector', text: ({ connectorName }) => connectorName ?? '' },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];
