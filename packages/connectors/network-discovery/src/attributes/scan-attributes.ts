// Discovery form: targets and rate limits. The first four attribute names and the name of the parallel executions
// attribute match the established provider of this kind.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readBoolean,
  readInteger,
  readString,
  rejectIf,
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

const INTRODUCTION = `Connects to hosts and collects the certificates that they present, whether valid or not.\n\n* **Hosts** are names, addresses, networks such as \`10.0.0.0/24\` and ranges such as \`10.0.0.1-10.0.0.50\`.\n* **Ports** are numbers and ranges. If TLS starts with a command (STARTTLS), specify the protocol: \`2525/smtp\`.\n  The standard ports for mail, directories and databases are recognized.\n* The operator of this connector decides which networks can be scanned.`;

const DEFAULTS = { parallel: 50, parallelPerHost: 8, ratePerSecond: 200, ratePerHost: 20, timeoutSeconds: 10 };
const PACE = 'Rate limits';

const scanForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_ipHostname', label: 'Network discovery', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: SCAN.hosts,
    label: 'Hosts',
    description: 'Names, addresses, networks and ranges, separated by commas',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: SCAN.ports,
    label: 'Ports',
    description: 'Ports and ranges, separated by commas, e.g. 443, 8000-8100, 2525/smtp',
    contentType: 'string',
    content: DEFAULT_PORTS,
  }),
  dataAttribute({
    uuid: uuid(4),
    name: SCAN.allPorts,
    label: 'Scan all ports',
    description: 'Scans ports 1 to 65535 instead of those above. At the rate below, this takes about an hour per host.',
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: SCAN.serverNames,
    label: 'Additional server names',
    description: 'Comma-separated names to also request from every host (SNI)',
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: SCAN.withoutServerName,
    label: 'Also connect without SNI',
    description:
      'Also connects without a server name to hosts specified by name; they may present a different certificate.',
    contentType: 'boolean',
    content: false,
  }),
  paceAttribute(7, { name: SCAN.parallel, label: 'Concurrent connections', max: 1_000, initial: DEFAULTS.parallel }),
  paceAttribute(8, {
    name: SCAN.parallelPerHost,
    label: 'Concurrent connections per address',
    max: 1_000,
    initial: DEFAULTS.parallelPerHost,
  }),
  paceAttribute(9, {
    name: SCAN.ratePerSecond,
    label: 'New connections per second',
    max: 10_000,
    initial: DEFAULTS.ratePerSecond,
  }),
  paceAttribute(10, {
    name: SCAN.ratePerHost,
    label: 'New connections per second and address',
    max: 10_000,
    initial: DEFAULTS.ratePerHost,
  }),
  paceAttribute(11, {
    name: SCAN.timeoutSeconds,
    label: 'Timeout (seconds)',
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

/** Scan request as stored; the plan is derived from it. */
export interface ScanSpec {
  readonly hosts: string;
  /** Absent if all ports are scanned. */
  readonly ports?: string | undefined;
  readonly serverNames: readonly string[];
  readonly withoutServerName: boolean;
  readonly parallel: number;
  readonly parallelPerHost: number;
  readonly ratePerSecond: number;
  readonly ratePerHost: number;
  readonly timeoutSeconds: number;
}

/** Parses the attributes. Throws a single error that lists all problems. */
export function readScanSpec(attributes: readonly RequestAttributeDto[]): ScanSpec {
  rejectIf(validateAttributes(scanForm, attributes));
  const number = (name: keyof typeof DEFAULTS): number => readInteger(attributes, SCAN[name]) ?? DEFAULTS[name];
  const wish: ScanSpec = {
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
  rejectIf(specProblems(wish));
  return wish;
}

/** Each additional name multiplies the number of connections to every host. */
const MAX_SERVER_NAMES = 20;

function specProblems({ hosts: text, ports: portText, serverNames }: ScanSpec): readonly string[] {
  const hosts = parseHosts(text);
  const ports = parsePorts(portText ?? '');
  const names = parseHosts(serverNames.join());
  const notNames = serverNames.filter((_, place) => names.hosts[place]?.kind === 'addresses');
  const problems = [
    ...hosts.problems.map((problem) => `Hosts: ${problem}`),
    ...ports.problems.map((problem) => `Ports: ${problem}`),
    ...names.problems.map((problem) => `Additional server names: ${problem}`),
    ...notNames.map((name) => `Additional server names: ${name} is an IP address, which cannot be sent as SNI.`),
    ...(serverNames.length > MAX_SERVER_NAMES ? [`Additional server names: specify at most ${MAX_SERVER_NAMES}.`] : []),
  ];
  if (problems.length > 0) return problems;
  if (hosts.hosts.length === 0) return ['Hosts: specify at least one.'];
  if (portText !== undefined && ports.ports.length === 0) return ['Ports: specify at least one.'];
  const { total } = planOf({ hosts: text, ports: portText, serverNames, withoutServerName: true });
  return total > MAX_TARGETS
    ? [
        `Hosts and ports result in ${total} targets; at most ${MAX_TARGETS} are allowed. Scan fewer networks or fewer ports at a time.`,
      ]
    : [];
}

export const planOf = (wish: Pick<ScanSpec, 'hosts' | 'ports' | 'serverNames' | 'withoutServerName'>): ScanPlan =>
  createPlan({
    hosts: parseHosts(wish.hosts).hosts,
    ports: wish.ports === undefined ? allPorts() : parsePorts(wish.ports).ports,
    serverNames: wish.serverNames,
    alsoWithoutName: wish.withoutServerName,
  });
