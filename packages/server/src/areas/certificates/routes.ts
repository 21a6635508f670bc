// All certificate operations of the interface, and our search.
import { certificateOperations, type LocationDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found } from '../../kernel/errors.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Approvals } from '../approvals/index.ts';
import { clientRoutes, holdRoutes } from './client-routes.ts';
import {
  chainValidationRoutes,
  changeRoutes,
  importRoutes,
  inventoryHandlers,
  lineageRoutes,
  parsingRoutes,
  searchRoutes,
  settlementRoutes,
  validationRunRoutes,
} from './inventory-routes.ts';
import type { Inventory } from './inventory.ts';
import type { Issuing } from './issuing.ts';
import { legacyClientRoutes, type LegacyClientRouteParts } from './legacy-client-routes.ts';
import { findOne } from './core/store.ts';
import type { RequestMaker } from './requesting/request-with-key.ts';

export interface CertificateRouteParts extends Pick<
  LegacyClientRouteParts,
  'platform' | 'audit' | 'connectors' | 'raProfiles' | 'names'
> {
  readonly issuing: Issuing;
  readonly inventory: Inventory;
  readonly requests: RequestMaker;
  readonly approvals: Pick<Approvals, 'listOfObject'>;
  readonly findLocations: (certificateUuid: string, context: RequestContext) => Promise<LocationDto[]>;
}

export const certificateRoutes = ({
  issuing,
  inventory,
  requests,
  ...areas
}: CertificateRouteParts): readonly Route[] => [
  ...clientRoutes({ ...issuing, requests, assertVisible: inventory.assertVisible }),
  ...holdRoutes({ ...issuing, assertVisible: inventory.assertVisible }),
  ...legacyClientRoutes({ ...areas, issuance: issuing.issuance, revoker: issuing.revoker }),
  ...searchRoutes(inventory),
  ...parsingRoutes(inventory),
  ...lineageRoutes(inventory),
  ...chainValidationRoutes(inventory),
  ...changeRoutes(inventory),
  ...importRoutes(inventory),
  ...settlementRoutes(inventory),
  ...validationRunRoutes(inventory),
  ...routes(certificateOperations, {
    ...inventoryHandlers(inventory),
    listCertificateLocations: async ({ params, context }) => {
      await inventory.assertVisible([params.certificateUuid], { context, action: 'detail' });
      const { executor } = areas.platform.database;
      found(await findOne(executor, params.certificateUuid), 'Certificate', params.certificateUuid);
      return areas.findLocations(params.certificateUuid, context);
    },
    listCertificateApprovals: async ({ params, query, context }) => {
      await inventory.assertVisible([params.uuid], { context, action: 'detail' });
      const { uuid } = found(await findOne(areas.platform.database.executor, params.uuid), 'Certificate', params.uuid);
      return areas.approvals.listOfObject('certificates', uuid, query);
    },
    submitCertificateRequest: async ({ body, context }) => {
      const { raProfileUuid, issueAttributes: attributes, customAttributes } = body;
      const request = await requests.given(body, context);
      const uuid = await issuing.issuance.submit({ raProfileUuid, request, attributes, customAttributes }, context);
      return inventory.detail(uuid, context);
    },
  }),
];
