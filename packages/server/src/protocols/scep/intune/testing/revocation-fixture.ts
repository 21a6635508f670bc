// Environment of Intune revocations, as plain in-memory objects: inputs from tests and recorded effects.
import type { FoundCertificate } from '../../../../areas/certificates/index.ts';
import { coreContext } from '../../../../kernel/actor.ts';
import { Secret } from '../../../../kernel/secret.ts';
import { NOW } from '../../testing/scep-ports.ts';
import type { RevocationRequest, RevocationResult } from '../client.ts';
import { revokeForIntune, type RevocationParts } from '../revocations.ts';

export interface RevocationFixture {
  profiles: { readonly uuid: string; readonly tenant: string; readonly applicationId?: string }[];
  /** Certificates with the serial number `abc`. */
  inventory: FoundCertificate[];
  /** Normalized names. */
  issuerNames: string[];
  requests: Partial<RevocationRequest>[];
  authorityUuid: string | undefined;
  /** Tests can make it throw. */
  download: (tenant: string) => void;
  /** Tests can make it throw. */
  revoke: () => void;
  readonly uploaded: (readonly RevocationResult[])[];
  readonly revoked: unknown[];
  readonly errors: object[];
}

export function run(world: RevocationFixture, signal?: AbortSignal): Promise<string> {
  const parts = {
    log: { error: (facts: object) => void world.errors.push(facts) },
    clock: { now: () => NOW, monotonicMs: () => 0 },
    intune: {
      downloadRevocations: async ({ tenant }: { readonly tenant: string }) => {
        world.download(tenant);
        return world.requests.map((each) => ({ requestContext: '', serialNumber: '', issuerName: '', ...each }));
      },
      uploadResults: async (_account: unknown, results: readonly RevocationResult[]) =>
        void world.uploaded.push(results),
    },
    profiles: {
      findAll: async () =>
        world.profiles.map(({ uuid, tenant, applicationId = 'app' }) => ({
          uuid,
          name: uuid,
          account: { tenant, applicationId, applicationKey: new Secret('key') },
        })),
    },
    raProfiles: { authorityOf: async () => world.authorityUuid },
    certificates: {
      findBySerialNumber: async (serialNumber: string) => (serialNumber === 'abc' ? world.inventory : []),
      issuerNamesUnder: async () => world.issuerNames,
      revoke: async (input: unknown) => {
        world.revoke();
        world.revoked.push(input);
      },
    },
  };
  return revokeForIntune(parts as unknown as RevocationParts, coreContext('test', signal)); // partial stub
}
