// Features beyond the published interface. The published description of a connector (`GET /v1`) has no member for them,
// so a connector declares each one as an additional endpoint, which other platforms ignore.
import { attributeUuidOf } from '../reading/attribute-uuid.ts';
import type { EndpointDto } from '../shared/function-groups.ts';

const CONTEXT = '/v1/features/';

/** Returns the endpoint that declares a feature. */
export const featureEndpoint = (feature: string): EndpointDto => ({
  uuid: attributeUuidOf(`feature ${feature}`),
  name: feature,
  context: `${CONTEXT}${feature}`,
  method: 'GET',
  required: false,
});

export const isFeatureEndpoint = ({ context }: Pick<EndpointDto, 'context'>): boolean => context.startsWith(CONTEXT);

/** Returns the features that a connector declares. */
export const featuresIn = (endPoints: readonly Pick<EndpointDto, 'context'>[]): string[] =>
  endPoints.filter(isFeatureEndpoint).map(({ context }) => context.slice(CONTEXT.length));
