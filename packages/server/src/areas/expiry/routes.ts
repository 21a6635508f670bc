// Operations for expiry thresholds, in addition to the API specification.
import {
  expiryThresholdOperations,
  groupExpiryThresholdOperations,
  raProfileExpiryThresholdOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { ThresholdService } from './service.ts';

export const expiryRoutes = ({
  platformThresholds,
  setPlatformThresholds,
  raProfile,
  group,
}: ThresholdService): readonly Route[] => [
  ...routes(expiryThresholdOperations, {
    getExpiryThresholds: () => platformThresholds(),
    setExpiryThresholds: ({ body, context }) => setPlatformThresholds(body, context),
  }),
  ...routes(raProfileExpiryThresholdOperations, {
    getRaProfileExpiryThresholds: ({ params }) => raProfile.get(params.raProfileUuid),
    setRaProfileExpiryThresholds: ({ params, body, context }) => raProfile.set(params.raProfileUuid, body, context),
    inheritRaProfileExpiryThresholds: ({ params, context }) => raProfile.inherit(params.raProfileUuid, context),
  }),
  ...routes(groupExpiryThresholdOperations, {
    getGroupExpiryThresholds: ({ params }) => group.get(params.groupUuid),
    setGroupExpiryThresholds: ({ params, body, context }) => group.set(params.groupUuid, body, context),
    inheritGroupExpiryThresholds: ({ params, context }) => group.inherit(params.groupUuid, context),
  }),
];
