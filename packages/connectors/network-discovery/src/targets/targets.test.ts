import { describe, expect, it } from 'vitest';
import { boundsOf, endpointText, parseHosts } from './hosts.ts';
import { createPlan, type PlanFacts } from './plan.ts';
import { allPorts, parsePorts } from './ports.ts';

const planOf = (hosts: string, ports: string, others: Partial<PlanFacts> = {}) =>
  createPlan({ hosts: parseHosts(hosts).hosts, ports: parsePorts(ports).ports, ...others });
const all = (plan: ReturnType<typeof planOf>) =>
  Array.from({ length: plan.total }, (_, number) => {
    const { host, port, serverName } = plan.at(number);
    return `${endpointText(host, port)}${serverName === undefined ? '' : ` as ${serverName}`}`;
  });

describe('hosts', () => {
  it('can be names, addresses, networks and ranges, for IPv4 and IPv6', () => {
    expect(all(planOf('Mail.Example. 10.0.0.254/31, 10.0.1.255-10.0.2.1\n192.0.2.8-9', '443'))).toEqual([
      'mail.example:443 as mail.example',
      '10.0.0.254:443',
      '10.0.0.255:443',
      '10.0.1.255:443',
      '10.0.2.0:443',
      '10.0.2.1:443',
      '192.0.2.8:443',
      '192.0.2.9:443',
    ]);
    expect(all(planOf('2001:db8::fffe/126 [::1] fd00::ff-fd00::101', '443'))).toEqual([
      '[2001:db8::fffc]:443',
      '[2001:db8::fffd]:443',
      '[2001:db8::fffe]:443',
      '[2001:db8::ffff]:443',
      '[::1]:443',
      '[fd00::ff]:443',
      '[fd00::100]:443',
      '[fd00::101]:443',
    ]);
  });

  it.each([
    ['10.0.0.0/7', 'more than'],
    ['2001:db8::/64', 'more than'],
    ['10.0.0.0-11.0.0.1', 'more than'],
    ['10.0.0.9-10.0.0.1', 'is before its start.'],
    ['10.0.0.256', 'is not a host name, an address, a network'],
    ['10.0.0.0/33', 'not a network'],
    ['10.0.0.1-::1', 'not a range'],
    ['exam ple/24', 'not a network'],
    ['https://a.example', 'not a network'],
    ['-a.example', 'is not a host name, an address, a network'],
  ])('cannot be %s', (text, words) => {
    expect(parseHosts(text).problems.join()).toContain(words);
  });

  it('are listed as the first and last address of each range', () => {
    expect(boundsOf(parseHosts('a.example, 10.0.0.1, 10.1.0.0/16').hosts)).toEqual([
      '10.0.0.1',
      '10.1.0.0',
      '10.1.255.255',
    ]);
  });

  it('can be a network of 16 million addresses, which is not enumerated', () => {
    const plan = planOf('10.0.0.0/8', '443,8443');
    expect(plan.total).toBe(2 ** 25);
    expect(plan.at(2 ** 24 - 1)).toMatchObject({ host: '10.255.255.255', port: 443 });
    expect(plan.at(2 ** 25 - 1)).toMatchObject({ host: '10.255.255.255', port: 8443 });
  });
});

describe('ports', () => {
  it('are numbers and ranges without duplicates, with an optional STARTTLS protocol', () => {
    expect(parsePorts('443 8000-8002, 443 25, 2525/smtp 25/tls').ports).toEqual([
      { port: 443 },
      { port: 8000 },
      { port: 8001 },
      { port: 8002 },
      { port: 25, startTls: 'smtp' },
      { port: 2525, startTls: 'smtp' },
      { port: 25 },
    ]);
    expect(parsePorts('7 389/tls', 'ldap').ports).toEqual([{ port: 7, startTls: 'ldap' }, { port: 389 }]);
  });

  it.each(['0', '65536', '10-9', 'https', '25/telnet', '1-2-3'])('cannot be %s', (text) => {
    expect(parsePorts(text).problems).toHaveLength(1);
  });

  it('include all ports on request', () => {
    expect(allPorts()).toHaveLength(65_535);
  });
});

describe('a plan', () => {
  it('visits all hosts on one port before it continues with the next port', () => {
    expect(all(planOf('10.0.0.1-2', '1-2'))).toEqual(['10.0.0.1:1', '10.0.0.2:1', '10.0.0.1:2', '10.0.0.2:2']);
  });

  it('contacts a host with and without its server name, and with any additional names', () => {
    const options = { alsoWithoutName: true, serverNames: ['b.example'] };
    expect(all(planOf('b.example, 10.0.0.1', '443', options))).toEqual([
      'b.example:443 as b.example',
      'b.example:443',
      '10.0.0.1:443',
      '10.0.0.1:443 as b.example',
    ]);
  });
});
