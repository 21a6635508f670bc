import { describe, expect, it } from 'vitest';
import { createDiscoveryEgress, isNetwork } from './discovery-egress.ts';
import { createEgressGate } from './egress.ts';

const gate = createEgressGate({
  allowLoopback: false,
  allowedHosts: [],
  onlyHosts: [],
  isOwnListener: (address, port) => address === '10.0.0.1' && port === 8443,
});
const rejectionOf = (networks: readonly string[], address: string, port?: number): string => {
  try {
    createDiscoveryEgress(gate, networks).assertAddress(address, { address, ...(port ? { port } : {}) });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the permitted discovery targets', () => {
  it('are all public and private addresses by default', () => {
    expect(
      ['192.0.2.1', '10.0.0.1', '8.8.8.8', 'fd12::1', '2606:4700::1'].map((each) => rejectionOf([], each) !== ''),
    ).toEqual([true, false, false, false, false]);
    for (const address of ['127.0.0.1', '::1', '169.254.1.1', 'fe80::1', '169.254.169.254', '::ffff:127.0.0.1'])
      expect(rejectionOf([], address)).toContain('discoveryNetworks');
  });

  it('are only the specified networks, if any are specified', () => {
    expect(rejectionOf(['10.0.0.0/8', '2001:4860::/32'], '10.9.9.9')).toBe('');
    expect(rejectionOf(['10.0.0.0/8', '2001:4860::/32'], '2001:4860::8888')).toBe('');
    expect(rejectionOf(['10.0.0.0/8'], '192.168.0.1')).toContain(
      'is not in any network that can be scanned (setting discoveryNetworks).',
    );
  });

  it('include loopback addresses only if a loopback network is specified, but not if a larger network is', () => {
    expect(rejectionOf(['127.0.0.0/8'], '127.0.0.1')).toBe('');
    expect(rejectionOf(['::1'], '::1')).toBe('');
    expect(rejectionOf(['0.0.0.0/0'], '127.0.0.1')).toContain('loopback');
    expect(rejectionOf(['169.254.0.0/16'], '169.254.1.1')).toBe('');
    expect(rejectionOf(['169.254.0.0/16'], '169.254.169.254')).toContain('metadata');
  });

  it("never include the platform's own listeners", () => {
    expect(rejectionOf(['10.0.0.0/8'], '10.0.0.1', 8443)).toContain('listener of this platform');
  });

  it('are specified as addresses with or without a prefix length', () => {
    expect(['10.0.0.0/8', '10.0.0.1', '::/0', 'fd00::1'].map(isNetwork)).toEqual([true, true, true, true]);
    expect(['10.0.0.0/33', 'a.example', '10.0.0.0/8/1', '', '10.0.0.0/'].map(isNetwork)).toEqual(Array(5).fill(false));
  });
});
