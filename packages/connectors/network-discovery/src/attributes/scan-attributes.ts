// The form of a discovery: what is scanned, and how much at once. The first four names, and that of the parallel
// executions, are those of the field's own provider of this kind.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readBoolean,
  readInteger,
  readString,
  refuseIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { parseHosts } from '../targets/hosts.ts';
import { createPlan, MAX_TARGETS, type ScanPlan } from '../targets/plan.ts';
import { allPorts, DEFAULT_PORTS, parsePorts } from '../targets/ports.ts';
import { formUuid as uuid } from './attribute-uuids.ts';

export const SCAN = {
  hosts: 'ip',
  ports: 'port',
  allPorts: 'allPorts',
  serverNames: 'data_serverNames',
  withoutServerName: 'data_withoutServerName',
  parallel: 'data_parallel_executions',
  parallelPerHost: 'data_parallelPerHost',
  ratePerSecond: 'data_ratePerSecond',
  ratePerHost: 'data_ratePerHost',
  timeoutSeconds: 'data_timeoutSeconds',
} as const;

const INTRODUCTION = `Connects to hosts and takes the certificates that they serve, whatever state these are in.

* **Hosts** are names, addresses, networks such as \`10.0.0.0/24\` and ranges such as \`10.0.0.1-10.0.0.50\`.
* **Ports** are numbers and ranges. Where TLS begins by a command (STARTTLS), say so: \`2525/smtp\`.
  The usual ports of mail, directories and databases are known.
* Which networks may be scanned is decided by whoever runs this connector.`;

const DEFAULTS = { parallel: 50, parallelPerHost: 8, ratePerSecond: 200, ratePerHost: 20, timeoutSeconds: 10 };
const PACE = 'Pace';

const scanForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_ipHostname', label: 'Network discovery', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: SCAN.hosts,
    label: 'Hosts',
    description: 'Names, addresses, networks and ranges, separated by commas.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: SCAN.ports,
    label: 'Ports',
    description: 'Ports and ranges, separated by commas, e.g. 443, 8000-8100, 2525/smtp.',
    contentType: 'string',
    content: DEFAULT_PORTS,
  }),
  dataAttribute({
    uuid: uuid(4),
    name: SCAN.allPorts,
    label: 'All ports',
    description: 'From 1 to 65535, instead of those above. Takes about an hour for each host at the rate below.',
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: SCAN.serverNames,
    label: 'Further server names',
    description: 'Every host is asked for these names too (SNI), separated by commas.',
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: SCAN.withoutServerName,
    label: 'Names without SNI too',
    description:
      'Asks hosts that are given by name without a server name too: they may serve another certificate then.',
    contentType: 'boolean',
    content: false,
  }),
  paceAttribute(7, { name: SCAN.parallel, label: 'At the same time', max: 1_000, initial: DEFAULTS.parallel }),
  paceAttribute(8, {
    name: SCAN.parallelPerHost,
    label: 'At the same time to one address',
    max: 1_000,
    initial: DEFAULTS.parallelPerHost,
  }),
  paceAttribute(9, {
    name: SCAN.ratePerSecond,
    label: 'New connections in a second',
    max: 10_000,
    initial: DEFAULTS.ratePerSecond,
  }),
  paceAttribute(10, {
    name: SCAN.ratePerHost,
    label: 'New connections to one address in a second',
    max: 10_000,
    initial: DEFAULTS.ratePerHost,
  }),
  paceAttribute(11, {
    name: SCAN.timeoutSeconds,
    label: 'Time-out in seconds',
    max: 60,
    initial: DEFAULTS.timeoutSeconds,
  }),
];

function paceAttribute(
  number: number,
  { name, label, max, initial }: { name: string; label: string; max: number; initial: number },
): BaseAttributeDto {
  return dataAttribute({
    uuid: uuid(number),
    name,
    label,
    group: PACE,
    contentType: 'integer',
    content: initial,
    constraints: [inRange({ from: 1, to: max })],
  });
}

export const scanAttributes = (): BaseAttributeDto[] => [...scanForm];

/** What was asked for, as it is kept: the plan follows from it. */
export interface ScanWish {
  readonly hosts: string;
  /** Absent for all of them. */
  readonly ports?: string | undefined;
  readonly serverNames: readonly string[];
  readonly withoutServerName: boolean;
  readonly parallel: number;
  readonly parallelPerHost: number;
  readonly ratePerSecond: number;
  readonly ratePerHost: number;
  readonly timeoutSeconds: number;
}

/** Refuses with everything that is wrong. */
export function readScanWish(attributes: readonly RequestAttributeDto[]): ScanWish {
  refuseIf(validateAttributes(scanForm, attributes));
  const number = (name: keyof typeof DEFAULTS): number => readInteger(attributes, SCAN[name]) ?? DEFAULTS[name];
  const wish: ScanWish = {
    hosts: readString(attributes, SCAN.hosts) ?? '',
    ports: readBoolean(attributes, SCAN.allPorts) ? undefined : (readString(attributes, SCAN.ports) ?? DEFAULT_PORTS),
    serverNames: (readString(attributes, SCAN.serverNames) ?? '').split(/[\s,;]+/).filter((name) => name !== ''),
    withoutServerName: readBoolean(attributes, SCAN.withoutServerName) ?? false,
    parallel: number('parallel'),
    parallelPerHost: number('parallelPerHost'),
    ratePerSecond: number('ratePerSecond'),
    ratePerHost: number('ratePerHost'),
    timeoutSeconds: number('timeoutSeconds'),
  };
  refuseIf(wishProblems(wish));
  return wish;
}

/** Each of them multiplies what is asked of every host. */
const MAX_SERVER_NAMES = 20;

function wishProblems({ hosts: text, ports: portText, serverNames }: ScanWish): readonly string[] {
  const hosts = parseHosts(text);
  const ports = parsePorts(portText ?? '');
  const names = parseHosts(serverNames.join());
  const notNames = serverNames.filter((_, place) => names.hosts[place]?.kind === 'addresses');
  const problems = [
    ...hosts.problems.map((problem) => `Hosts: ${problem}`),
    ...ports.problems.map((problem) => `Ports: ${problem}`),
    ...names.problems.map((problem) => `Further server names: ${problem}`),
    ...notNames.map((name) => `Further server names: ${name} is an address, and addresses are not sent as SNI.`),
    ...(serverNames.length > MAX_SERVER_NAMES ? [`Further server names: at most ${MAX_SERVER_NAMES}.`] : []),
  ];
  if (problems.length > 0) return problems;
  if (hosts.hosts.length === 0) return ['Hosts: there is none.'];
  if (portText !== undefined && ports.ports.length === 0) return ['Ports: there is none.'];
  const { total } = planOf({ hosts: text, ports: portText, serverNames, withoutServerName: true });
  return total > MAX_TARGETS
    ? [`Hosts and ports are ${total} targets, more than ${MAX_TARGETS}: scan fewer networks or fewer ports at a time.`]
    : [];
}

export const planOf = (wish: Pick<ScanWish, 'hosts' | 'ports' | 'serverNames' | 'withoutServerName'>): ScanPlan =>
  createPlan({
    hosts: parseHosts(wish.hosts).hosts,
    ports: wish.ports === undefined ? allPorts() : parsePorts(wish.ports).ports,
    serverNames: wish.serverNames,
    alsoWithoutName: wish.withoutServerName,
  });
