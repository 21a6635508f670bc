// For tests of this area only: the area and its dependencies, with an audit log that can be broken, and authorities of
// a fake connector.
import { authorityOperations } from '@signetry/contract';
import { coreContext, coreContextFor, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createAuthoritiesArea } from '../../authorities/index.ts';
import { createConnectorsArea } from '../../connectors/index.ts';
import { createBreakableAudit } from '../../connectors/testing/breakable-audit.ts';
import { createRaProfilesArea } from '../index.ts';
import { noApprovals } from '../../approvals/testing/no-approvals.ts';

export type TestAreas = ReturnType<typeof createTestAreas>;

export const context = (audit?: RequestContext['audit']): RequestContext => ({ ...coreContext('test'), audit });

export function createTestAreas(node: Platform) {
  const audit = createBreakableAudit(createAuditArea(node).trail);
  const attributes = createAttributeEngine(node);
  const connectors = createConnectorsArea(node, { audit, attributes });
  const authorities = createAuthoritiesArea(node, { audit, attributes, connectors });
  const area = createRaProfilesArea(node, {
    audit,
    attributes,
    connectors,
    authorities,
    approvals: noApprovals,
  });
  return { audit, connectors, authorities, area };
}

/** Adds an authority of a new connector at this URL. */
export async function addAuthority(areas: TestAreas, url: string): Promise<string> {
  const create = areas.connectors.routes?.find(({ operation }) => operation.id === 'createConnector');
  const body = { name: `connector ${newUuid()}`, url, authType: 'none' };
  const facts = { module: 'core', resource: 'connectors', operation: 'create' } as const;
  // The operation determines the input type.
  const answer = await create?.handle({ params: {}, query: {}, body, context: context(facts) } as never);
  const { uuid: connectorUuid } = answer as { uuid: string };
  return areas.authorities.create(
    { name: `authority ${newUuid()}`, connectorUuid, kind: 'Fake', attributes: [] },
    coreContextFor(authorityOperations.createAuthorityInstance),
  );
}
