// All certificate operations of the interface, and our search.
import { certificateOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import { clientRoutes } from './client-routes.ts';
import { inventoryHandlers, searchRoutes, settlementRoutes } from './inventory-routes.ts';
import type { Inventory } from './inventory.ts';
import type { Issuing } from './issuing.ts';
import { legacyClientRoutes, type LegacyClientRouteParts } from './legacy-client-routes.ts';
import { readRequest } from './core/read-request.ts';

export interface CertificateRouteParts extends Pick<
  LegacyClientRouteParts,
  'platform' | 'audit' | 'connectors' | 'raProfiles'
> {
  readonly issuing: Issuing;
  readonly inventory: Inventory;
}

export const certificateRoutes = ({ issuing, inventory, ...areas }: CertificateRouteParts): readonly Route[] => [
  ...clientRoutes({ ...issuing, assertVisible: inventory.assertVisible }),
  ...legacyClientRoutes({ ...areas, issuance: issuing.issuance, revoker: issuing.revoker }),
  ...searchRoutes(inventory),
  ...settlementRoutes(inventory),
  ...routes(certificateOperations, {
    ...inventoryHandlers(inventory),
    submitCertificateRequest: async ({ body, context }) => {
      const { raProfileUuid, format, issueAttributes: attributes, customAttributes } = body;
      const request = readRequest(body.request ?? '', format);
      const uuid = await issuing.issuance.submit({ raProfileUuid, request, attributes, customAttributes }, context);
      return inventory.detail(uuid, context);
    },
  }),
];
