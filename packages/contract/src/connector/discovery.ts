// Operations of the discovery provider. A discovery runs at the connector; the platform asks for its state and reads
// what it found page by page.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DiscoveryDataRequestDto, DiscoveryProviderDto, DiscoveryRequestDto } from './discovery-shapes.ts';

const discoveryParam = z.object({ uuid: z.string() });

export const discoveryProviderOperations = operations(
  { tag: 'Discovery', errors: objectErrors },
  {
    /** Answers at once, with the status `inProgress`, unless everything is found by then. */
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
