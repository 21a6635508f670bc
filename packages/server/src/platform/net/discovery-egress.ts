// What discoveries may connect to: their targets are whole networks, so the rules name networks. Everything that the
// egress gate refuses stays refused, but for the classes of addresses that the rules open. A host that is allowed for
// other connections is open here on the port that is listed for it, not on every port.
import { BlockList, isIP } from 'node:net';
import type { ConnectorEgress } from '@signetry/connector-sdk';
import { addressClass, type AddressClass } from './address-class.ts';
import { EgressError, type EgressGate } from './egress.ts';

/** `10.0.0.0/8` or `2001:db8::/32`; an address alone is a network of one. */
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
 * Without networks, public and private addresses may be scanned. With networks, only those; one that lies in a class
 * that is closed otherwise, such as loopback, opens that class as far as it reaches.
 */
export function createDiscoveryEgress(gate: EgressGate, networks: readonly string[]): ConnectorEgress {
  const known = networks.map(networkOf);
  return {
    assertAddress(host, { address, port = 0 }) {
      const matching = known.filter(({ contains }) => contains(address));
      if (known.length > 0 && matching.length === 0)
        throw new EgressError(
          'notAllowed',
          `${address} is in none of the networks that may be scanned (setting discoveryNetworks).`,
        );
      const kind = addressClass(address);
      const allowAnyClass = matching.some((network) => network.addressClass === kind);
      try {
        gate.assertAddress(host, { address, port, allowAnyClass, listedPortsOnly: true });
      } catch (error) {
        if (!(error instanceof EgressError) || error.reason !== 'addressClass') throw error;
        throw new EgressError(
          error.reason,
          `${address} is a ${kind} address, which is scanned only where the setting discoveryNetworks names its network, ` +
            'or on a port that egressAllowedHosts lists with it.',
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
