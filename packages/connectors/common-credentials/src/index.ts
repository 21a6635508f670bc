// Connector for common kinds of credentials (function group credentialProvider). It defines each kind's contents and
// checks whether values will work. The platform stores the credentials; the connector stores nothing.
import { handlersOf, rejected, requireKind, type Connector } from '@signetry/connector-sdk';
import { connectorBaseOperations } from '@signetry/contract';
import { kinds, type CredentialKind } from './kinds.ts';

const declaration = {
  name: 'common-credentials',
  // The set of kinds differs from that of other products; otherwise, the platform would treat them as the same
  // connector.
  functionGroups: [{ code: 'credentialProvider', kinds: kinds.map(({ kind }) => kind) }],
} as const satisfies Pick<Connector, 'name' | 'functionGroups'>;

const kindOf = (params: { readonly functionalGroup: string; readonly kind: string }): CredentialKind => {
  requireKind({ connector: declaration }, params);
  const found = kinds.find(({ kind }) => kind === params.kind);
  if (!found) throw new Error(`The kind ${params.kind} is declared but not implemented.`);
  return found;
};

export const commonCredentials: Connector = {
  ...declaration,
  migrations: [],
  create: ({ clock, log }) => ({
    handlers: handlersOf(connectorBaseOperations, {
      listAttributeDefinitions: ({ params }) => [...kindOf(params).attributes],
      validateAttributes: async ({ params, body }) => {
        const { problems, warnings } = await kindOf(params).judge(body, clock.now());
        if (problems.length > 0) throw rejected(...problems);
        for (const warning of warnings) log.warn({ kind: params.kind }, warning);
      },
    }),
  }),
};
