// `signetry locations list|show|sync|probe`: shows and refreshes locations on servers and in stores, and checks which
// certificates their endpoints serve.
import { MAX_PROBE_SECONDS, StartTlsProtocol } from '@signetry/contract';
import { titleOf } from '../certificates/title.ts';
import { command, type Argument, type Flags, type FlagValues } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { pageFlags, pageOf } from '../command-line/page-flags.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { deploymentOf, findLocation, type Location, type LocationPath } from '../locations/find-location.ts';
import { printLocation } from '../locations/print-location.ts';
import { printPage } from '../output/print-list.ts';
import { renderTable, type Column } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const listFlags = {
  filter: {
    value: 'TEXT',
    many: true,
    about: 'Text in the name, or FIELD=VALUE for a search field, e.g. LOCATION_ENABLED=true',
  },
  entity: { value: 'NAME', many: true, about: 'Only locations in this entity' },
  ...pageFlags,
  ...connectionFlags,
} as const satisfies Flags;

const property = fieldOf('locations');

export const listLocations = command({
  name: 'locations list',
  about: 'List locations and their certificates',
  details: ['All conditions must match; multiple --entity values match any of them.'],
  flags: listFlags,
  examples: ['signetry locations list --entity "web server"'],
  async run({ flags, json }, context) {
    const body = searchOf(flags);
    const { client, options } = await connect(flags, context);
    const answer = await client.locations.listLocations({ body }, options);
    printPage(context, answer, { rows: answer.locations, json, columns, what: 'locations' });
    return EXIT.ok;
  },
});

function searchOf({ filter, entity, ...flags }: FlagValues<typeof listFlags>) {
  const filters: Filter[] = filter.map(
    (text) =>
      fieldFilter('locations', { text, objects: 'Locations' }) ??
      property('LOCATION_NAME', { condition: 'CONTAINS', value: text }),
  );
  if (entity.length > 0)
    filters.push(property('LOCATION_ENTITY_INSTANCE', { condition: 'EQUALS', value: [...entity] }));
  return { filters, ...pageOf(flags) };
}

const columns: readonly Column<Location>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Entity', text: ({ entityInstanceName }) => entityInstanceName },
  {
    title: 'State',
    text: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
    tone: ({ enabled }) => (enabled ? 'good' : undefined),
  },
  { title: 'Certificates', text: ({ certificates }) => certificates.map(titleOf).join(', ') },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

export const locationSelector: Argument = { name: 'LOCATION', about: 'name or UUID of a location' };

export const showLocation = command({
  name: 'locations show',
  about: 'Show a location and the deployment state of its certificates',
  arguments: [locationSelector],
  flags: connectionFlags,
  examples: ['signetry locations show nginx'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { location, place } = await findLocation(connection, given);
    printLocation(context, { location, deployment: await deploymentOf(connection, place) }, json);
    return EXIT.ok;
  },
});

export const syncLocation = command({
  name: 'locations sync',
  about: 'Refresh the contents of a location',
  arguments: [locationSelector],
  flags: connectionFlags,
  details: ['Certificates missing from the inventory are added; those no longer present are unlinked.'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { place } = await findLocation(connection, given);
    const location = await client.locations.syncLocation({ params: place }, options);
    printLocation(context, { location, deployment: await deploymentOf(connection, place) }, json);
    return EXIT.ok;
  },
});

const probeFlags = {
  host: { value: 'HOST', about: 'Set the endpoint first: the host name or IP address that clients use' },
  port: { value: 'PORT', initial: '443', about: 'Port of the endpoint, with --host' },
  'server-name': { value: 'NAME', about: 'Server name in the handshake (SNI), if it differs from the host' },
  'start-tls': {
    value: 'PROTOCOL',
    choices: StartTlsProtocol.options,
    about: 'STARTTLS protocol, if TLS does not start immediately',
  },
  timeout: { value: 'SECONDS', initial: '60', about: 'How long the endpoint is polled after a push, with --host' },
  'keep-new': {
    about: 'Keep the new certificate even if it is not being served; by default, the previous one is restored',
  },
  forget: { about: 'Remove the endpoint' },
  ...connectionFlags,
} as const satisfies Flags;

const MAX_PORT = 65_535;

export const probeLocation = command({
  name: 'locations probe',
  about: 'Check which certificate the endpoint of a location serves, or set the endpoint',
  arguments: [locationSelector],
  flags: probeFlags,
  details: [
    'A push or renewal is complete once the endpoint serves the certificate. With --host, the command replaces the endpoint before checking it. The command fails unless the endpoint serves the certificate in the location.',
  ],
  examples: ['signetry locations probe nginx --host www.example.com', 'signetry locations probe nginx'],
  async run({ args: [given = ''], flags, json }, context) {
    const probe = probeOf(flags);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { place, location } = await findLocation(connection, given);
    if (flags.forget) {
      await client.locationDeployment.removeLocationProbe({ params: place }, options);
      if (json) printJson(context, await deploymentOf(connection, place));
      else context.err(`Endpoint of location "${location.name}" removed.`);
      return EXIT.ok;
    }
    if (probe) await client.locationDeployment.setLocationProbe({ params: place, body: probe }, options);
    return inspectLocation(connection, place, { json, context });
  },
});

function probeOf(flags: FlagValues<typeof probeFlags>) {
  const { host, port, 'server-name': serverName, 'start-tls': startTls, timeout, 'keep-new': keepsNew, forget } = flags;
  if (host === undefined) {
    if (serverName !== undefined || startTls !== undefined || keepsNew)
      throw usageError('--server-name, --start-tls and --keep-new apply only to an endpoint; specify one with --host.');
    return undefined;
  }
  if (forget) throw usageError('--host sets an endpoint and --forget removes it. Specify one of them.');
  const protocol = StartTlsProtocol.options.find((each) => each === startTls);
  return {
    host,
    port: parseWholeNumber('--port', { text: port, min: 1, max: MAX_PORT }),
    timeoutSeconds: parseWholeNumber('--timeout', { text: timeout, min: 1, max: MAX_PROBE_SECONDS }),
    restorePrevious: !keepsNew,
    ...(serverName !== undefined && { serverName }),
    ...(protocol && { startTls: protocol }),
  };
}

async function inspectLocation(
  { client, options }: Connection,
  params: LocationPath,
  { json, context }: { readonly json: boolean; readonly context: Context },
) {
  const now = await client.locationDeployment.probeLocation({ params }, options);
  const { asExpected, addresses, problems } = now;
  if (json) printJson(context, now);
  else {
    const { colour, width } = context;
    const rows = addresses.flatMap(({ address, protocol, chain, asExpected: isExpected }) =>
      chain.slice(0, 1).map((certificate) => ({ address, protocol, isExpected, ...certificate })),
    );
    if (rows.length > 0) context.out(renderTable(rows, { columns: servedColumns(context.now()), colour, width }));
    for (const problem of problems) context.err(problem);
    context.err(
      asExpected
        ? 'The endpoint serves the certificate in the location.'
        : 'The endpoint does not serve the certificate in the location.',
    );
  }
  return asExpected ? EXIT.ok : EXIT.failed;
}

interface ServedCertificate {
  readonly address: string;
  readonly protocol: string;
  readonly isExpected: boolean;
  readonly subject: string;
  readonly notAfter: string;
  readonly fingerprint: string;
}

const servedColumns = (now: number): readonly Column<ServedCertificate>[] => [
  { title: 'Address', text: ({ address }) => address },
  { title: 'Protocol', isMinor: true, text: ({ protocol }) => protocol },
  {
    title: 'Certificate',
    text: ({ isExpected }) => (isExpected ? 'expected' : 'different'),
    tone: ({ isExpected }) => (isExpected ? 'good' : 'bad'),
  },
  { title: 'Subject', text: ({ subject }) => subject },
  { title: 'Valid until', text: ({ notAfter }) => describeTime(notAfter, now) },
  { title: 'SHA-256', isWhole: true, isMinor: true, text: ({ fingerprint }) => fingerprint },
];
