// Prints a location and the deployment state of its certificates.
import type { DeploymentState } from '@signetry/contract';
import { titleOf } from '../certificates/title.ts';
import { printJson, type Context } from '../context.ts';
import { renderFacts, renderTable, type Column, type Fact, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import type { DeployedCertificate, Deployment, Location } from './find-location.ts';

const words: Readonly<Record<DeploymentState, readonly [text: string, tone?: Tone]>> = {
  waiting: ['waiting for issuance', 'warning'],
  pushing: ['installing', 'warning'],
  installed: ['installed', 'good'],
  served: ['served', 'good'],
  replaced: ['replaced'],
  notServed: ['not served', 'bad'],
  failed: ['not installed', 'bad'],
};

const stateOf = ({ state, askedUntil }: DeployedCertificate): readonly [text: string, tone?: Tone] =>
  state === 'installed' && askedUntil !== undefined ? ['installed, not yet served', 'warning'] : words[state];

const columnsOf = (now: number): readonly Column<DeployedCertificate>[] => [
  { title: 'Certificate', text: titleOf },
  { title: 'State', text: (held) => stateOf(held)[0], tone: (held) => stateOf(held)[1] },
  { title: 'Since', text: ({ servedAt, changedAt }) => describeTime(servedAt ?? changedAt, now) },
  { title: 'Private key', isMinor: true, text: ({ withKey }) => (withKey ? 'in the location' : '') },
  { title: 'Serial number', isMinor: true, text: ({ serialNumber }) => serialNumber },
  { title: 'UUID', isWhole: true, text: ({ certificateUuid }) => certificateUuid },
];

export interface LocationView {
  readonly location: Location;
  readonly deployment: Deployment;
}

/** Prints a location; with --json, the complete response. */
export function printLocation(context: Context, { location, deployment }: LocationView, json: boolean): void {
  if (json) return printJson(context, { ...location, deployment });
  context.out(renderFacts(factsOf(location, deployment), context));
  printDeployment(context, deployment, false);
}

/** Prints the certificates in a location, and the problems with them. */
export function printDeployment(context: Context, deployment: Deployment, json: boolean): void {
  const { certificates } = deployment;
  const { colour, width } = context;
  if (json) return printJson(context, deployment);
  if (certificates.length === 0) return context.err('No certificates.');
  context.out(renderTable(certificates, { columns: columnsOf(context.now()), colour, width }));
  for (const held of certificates)
    if (held.problem !== undefined) context.err(`${titleOf(held)}, ${stateOf(held)[0]}: ${held.problem}`);
}

/** `renew, requested by alice at 2026-11-28T10:00:00.000Z` */
const operationText = ({ kind, requestedBy, startedAt, interrupted }: NonNullable<Deployment['operation']>): string =>
  `${kind}, requested by ${requestedBy} at ${startedAt}${interrupted ? ', interrupted' : ''}`;

function factsOf(location: Location, { probe, readAt, readingProblem, operation }: Deployment): readonly Fact[] {
  const { uuid, name, description, entityInstanceName, enabled, supportMultipleEntries, supportKeyManagement } =
    location;
  return [
    ['Name', name],
    ['UUID', uuid],
    ['Description', description],
    ['Entity', entityInstanceName],
    ['State', enabled ? 'enabled' : 'disabled', enabled ? 'good' : undefined],
    ['Capacity', supportMultipleEntries ? 'multiple certificates' : 'one certificate'],
    ['Keys', supportKeyManagement ? 'generated in the location' : 'cannot be generated in the location'],
    ['In progress', operation && operationText(operation), 'warning'],
    ['Last read', readAt],
    ['Read error', readingProblem, 'bad'],
    ['Endpoint', probe && endpointText(probe)],
  ];
}

/** `www.example.com:443, polled for up to 60 s, restores the previous certificate if the new one is not served` */
const endpointText = ({ host, port, serverName, startTls, timeoutSeconds = 60, restorePrevious = true }: NonNullable<Deployment['probe']>): string =>
  [
    `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(serverName === undefined ? [] : [`SNI ${serverName}`]),
    ...(startTls === undefined ? [] : [`STARTTLS ${startTls}`]),
    `polled for up to ${timeoutSeconds} s`,
    restorePrevious ? 'restores the previous certificate if the new one is not served' : 'keeps the new certificate',
  ].join(', '); // prettier-ignore
