// Egress rules for discoveries. Discoveries target whole networks, so the rules specify networks. Everything that the
// egress gate rejects is still rejected, except for the address classes that the rules open. A host that is allowed for
// other connections can be scanned only on its listed port.
import { BlockList, isIP } from 'node:net';
import type { ConnectorEgress } from '@signetry/connector-sdk';
import { addressClass, type AddressClass } from './address-class.ts';
import { EgressError, type EgressGate } from './egress.ts';

/** Returns whether the text is a network, such as `10.0.0.0/8` or `2001:db8::/32`, or a single address. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32));
}

interface Network {
  readonly contains: (address: string) => boolean;
  readonly addressClass: AddressClass;
}

/**
 * Without networks, public and private addresses can be scanned. Otherwise, only the specified networks can be scanned;
 * a network in an otherwise closed class, such as loopback, opens that class for its own range.
 */
export function createDiscoveryEgress(gate: EgressGate, networks: readonly string[]): ConnectorEgress {
  const known = networks.map(networkOf);
  return {
    assertAddress(host, { address, port = 0 }) {
      const matching = known.filter(({ contains }) => contains(address));
      if (known.length > 0 && matching.length === 0)
        throw new EgressError(
          'notAllowed',
          `${address} is not in any network that can be scanned (setting discoveryNetworks).`,
        );
      const kind = addressClass(address);
      const allowAnyClass = matching.some((network) => network.addressClass === kind);
      try {
        gate.assertAddress(host, { address, port, allowAnyClass, listedPortsOnly: true });
      } catch (error) {
        if (!(error instanceof EgressError) || error.reason !== 'addressClass') throw error;
        throw new EgressError(
          error.reason,
          `${address} is a ${kind} address, which can be scanned only if the setting discoveryNetworks contains its network, ` +
            'or on a port that egressAllowedHosts lists for it.',
        );
      }
    },
  };
}

function networkOf(text: string): Network {
  const [address = '', prefix = isIP(text) === 6 ? '128' : '32'] = text.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return {
    contains: (candidate) => list.check(candidate, isIP(candidate) === 6 ? 'ipv6' : 'ipv4'),
    addressClass: addressClass(address),
  };
}
