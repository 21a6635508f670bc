// A connector's description of itself, and whether the platform supports it. Connectors come from many vendors, so the
// structure is parsed leniently, and problems with the content are reported as a list.
import {
  connectorBaseOperations,
  featuresIn,
  FunctionGroupCode,
  functionGroupSpecifications,
  isFeatureEndpoint,
  missingEndpoints,
  operation,
  type DisplayedEndpointDto,
  type EndpointDto,
} from '@signetry/contract';
import { z } from 'zod';
import { rejected } from '../../kernel/errors.ts';
import { boundedText } from './call-failure.ts';

/** Function group as declared by a connector. */
export interface FunctionGroup {
  readonly code: FunctionGroupCode;
  readonly kinds: readonly string[];
  readonly endPoints: readonly EndpointDto[];
  /** Features beyond the published interface. */
  readonly features: readonly string[];
}

const LenientInfoResponse = z.array(
  z.object({
    functionGroupCode: z.string(),
    kinds: z.array(z.string()).default([]),
    endPoints: z
      .array(
        z.object({
          uuid: z.string().default(''),
          name: z.string(),
          context: z.string(),
          method: z.string(),
          required: z.boolean().default(false),
        }),
      )
      .default([]),
  }),
);
export type LenientInfoResponse = z.output<typeof LenientInfoResponse>;

/**
 * `GET /v1` with a lenient schema, so that an unknown group is reported by name rather than as a malformed response.
 */
export const infoOperation = operation({
  ...connectorBaseOperations.listSupportedFunctions,
  success: { status: 200, body: LenientInfoResponse },
});

/** Returns the function groups in a response; rejects unknown groups and missing endpoints, and names each of them. */
export function readFunctionGroups(answer: z.input<typeof LenientInfoResponse>): FunctionGroup[] {
  const groups = LenientInfoResponse.parse(answer);
  const problems = groups.flatMap(groupProblems);
  if (groups.length === 0) problems.push('The connector lists no function group.');
  if (new Set(groups.map((group) => group.functionGroupCode)).size < groups.length)
    problems.push('The connector lists a function group twice.');
  if (problems.length > 0) throw rejected(...problems);
  return groups.map(({ functionGroupCode, kinds, endPoints }) => ({
    code: FunctionGroupCode.parse(functionGroupCode),
    kinds,
    endPoints: endPoints.filter((endPoint) => !isFeatureEndpoint(endPoint)),
    features: featuresIn(endPoints),
  }));
}

function groupProblems(group: LenientInfoResponse[number]): string[] {
  const code = FunctionGroupCode.safeParse(group.functionGroupCode);
  if (!code.success) return [`The function group ${boundedText(group.functionGroupCode)} does not exist.`];
  return missingEndpoints(code.data, group.endPoints).map(
    ({ name, method, context }) =>
      `The function group ${code.data} requires the endpoint ${name} (${method} ${context}), which the connector does not offer.`,
  );
}

/** If a connector omits an endpoint's identifier, the published identifier is shown, or none. */
export function displayedEndpoints({
  code,
  endPoints,
}: Pick<FunctionGroup, 'code' | 'endPoints'>): DisplayedEndpointDto[] {
  const known = functionGroupSpecifications[code].endpoints;
  return endPoints.map(({ uuid: declared, ...endPoint }) => {
    const published = known.find(
      ({ name, method, context }) =>
        name === endPoint.name && method === endPoint.method && context === endPoint.context,
    );
    const uuid = declared || published?.uuid;
    return uuid ? { uuid, ...endPoint } : endPoint;
  });
}
