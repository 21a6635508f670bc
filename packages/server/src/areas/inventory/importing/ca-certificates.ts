// CA certificates of authorities, provided by the RA profile area. CA certificates of built-in authorities are trusted,
// because the platform holds their keys. CA certificates from other connectors are only imported; a user decides
// whether to trust them.
import type { CertificateDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { ReportedAuthority } from './adopt-subordinate.ts';
import type { CertificateWork, Validator } from '../../validation/index.ts';
import type { CertificateDetails } from '../certificate/detail.ts';
import type { Importer } from '../certificate/import.ts';

const BUILT_IN = 'builtin:';

/** The chain that a connector returned for an authority, issuing CA first. */
export interface ReportedChain {
  readonly authorityUuid: string;
  readonly connectorUuid: string;
  readonly chainDer: readonly Uint8Array[];
}

export function createCaCertificates(options: {
  readonly platform: Platform;
  readonly connectors: Pick<Connectors, 'facts'>;
  readonly importer: Importer;
  readonly work: Pick<CertificateWork, 'readBounded'>;
  readonly validator: Validator;
  readonly details: CertificateDetails;
  readonly adopt: (learnt: ReportedAuthority) => Promise<void>;
}) {
  const { platform, connectors, importer, work, validator, details, adopt } = options;

  return {
    /** Imports new certificates and returns the identifiers of all certificates in the same order. */
    async learn({ authorityUuid, connectorUuid, chainDer }: ReportedChain, context: RequestContext): Promise<string[]> {
      const certificates = await Promise.all(chainDer.map(work.readBounded));
      const { url } = await connectors.facts(connectorUuid);
      const options = { trustedCa: url.startsWith(BUILT_IN), note: 'CA certificate of an authority' };
      const imported = await platform.database.transaction((tx) =>
        importer.importAll(tx, certificates, { options, context }),
      );
      validator.afterChange();
      const uuids = imported.map(({ uuid }) => uuid);
      const [certificateUuid] = uuids;
      // The chain is imported first, so that the import does not depend on whether the parent authority accepts the
      // certificate.
      if (certificateUuid !== undefined)
        await adopt({ authorityUuid, certificateUuid, chainDer }).catch((error: unknown) =>
          platform.log.warn(
            { error, authority: authorityUuid },
            'could not assign an RA profile to the certificate of a subordinate CA',
          ),
        );
      return uuids;
    },

    describe: (certificateUuids: readonly string[], context: RequestContext): Promise<CertificateDetailDto[]> =>
      details.describe(certificateUuids, context),
  };
}
