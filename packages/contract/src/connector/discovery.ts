// Discovery provider operations. A discovery runs in the connector. The platform polls its state and reads the results
// page by page.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DiscoveryDataRequestDto, DiscoveryProviderDto, DiscoveryRequestDto } from './discovery-shapes.ts';

const discoveryParam = z.object({ uuid: z.string() });

export const discoveryProviderOperations = operations(
  { tag: 'Discovery', errors: objectErrors },
  {
    /** Returns immediately with the status `inProgress`, unless the discovery has already completed. */
    discoverCertificate: {
      route: 'POST /v1/discoveryProvider/discover',
      summary: 'Initiate certificate Discovery',
      body: DiscoveryRequestDto,
      answer: DiscoveryProviderDto,
      errors: ruleErrors,
    },
    getDiscovery: {
      route: 'POST /v1/discoveryProvider/discover/{uuid}',
      summary: 'Get Discovery status and result',
      params: discoveryParam,
      body: DiscoveryDataRequestDto,
      answer: DiscoveryProviderDto,
      repeated: 'harmless',
    },
    deleteDiscovery: {
      route: 'DELETE /v1/discoveryProvider/discover/{uuid}',
      summary: 'Delete Discovery',
      params: discoveryParam,
    },
  },
);
