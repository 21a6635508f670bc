// Private keys exported by connectors inside the platform. Keys are never requested from other connectors, because they
// would be sent over a network.
import type { ExportedKeyReference } from '@signetry/connector-sdk';
import { rejected } from '../../kernel/errors.ts';
import type { BuiltIns } from './built-ins.ts';
import { asAppError } from './call-failure.ts';
import type { Clients } from './clients.ts';
import { toFailure } from './in-process-transport.ts';

export interface KeyExports {
  /**
   * Returns an exportable private key as PKCS #8 in DER, which the caller overwrites. Throws 422 if the connector does
   * not export keys, or not this one.
   */
  exportPrivateKey(connectorUuid: string, reference: ExportedKeyReference): Promise<Uint8Array>;
}

export const createKeyExports = ({
  clients,
  builtIns,
}: {
  readonly clients: Pick<Clients, 'facts'>;
  readonly builtIns: Pick<BuiltIns, 'find'>;
}): KeyExports => ({
  async exportPrivateKey(connectorUuid, reference) {
    const { name, url } = await clients.facts(connectorUuid);
    const connector = builtIns.find(url);
    if (!connector?.exportPrivateKey)
      throw rejected(`Keys of connector ${name} cannot be exported: they never leave its tokens.`);
    try {
      return await connector.exportPrivateKey(reference);
    } catch (error) {
      throw asAppError(toFailure(error), { connector: name, objectId: reference.key });
    }
  },
});
