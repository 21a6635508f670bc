// Compliance: whether certificates, their requests and keys satisfy the platform's own rules and those of providers.
// Owns: compliance_profile, compliance_internal_rule, compliance_profile_internal_rule,
// compliance_profile_provider_rule, compliance_association, compliance_result, compliance_rule_list, compliance_run.
// Invariants: names are unique; a check ends with a status, regardless of the provider's behavior; a result, the
// object's status and the event are one transaction; providers are never called inside a transaction.
//
// internal-rules.ts                        rules that administrators define as conditions
// rule-catalog.ts, providers.ts     rules that providers offer; built-in rules are in the connector x509-rules
// profiles.ts, associations.ts        compliance profiles, and the RA and token profiles that they apply to
// check.ts, check-at-provider.ts      checks an object against all rules that apply; provider timeout
// rule-results.ts, outcomes.ts        status of an object, derived from the results of its rules
// gate.ts                             rejects non-compliant requests, and triggers checks of certificates
// checks.ts, requested-objects.ts         checks on demand, and results for users who can see the objects
// runs.ts, progress.ts                checks of many objects in the background: batches, progress and stopping
// record-results.ts, store-results.ts   results, written with the object's status and the event
// legacy.ts                           v1 operations
// store.ts, store-runs.ts, tables.ts  queries for profiles and runs, and rows
// routes.ts, present.ts, events.ts    operations, their responses, and events
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { CertificatesArea } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Keys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { createRequestedObjects } from './requested-objects.ts';
import { createAssociations } from './associations.ts';
import { createCheck } from './check.ts';
import { createCheckService } from './checks.ts';
import { publishComplianceEvents } from './events.ts';
import { connectGate } from './gate.ts';
import { createInternalRules } from './internal-rules.ts';
import { createResultRecorder } from './record-results.ts';
import { createLegacyProfiles } from './legacy.ts';
import { createProgress } from './progress.ts';
import { createProfileService } from './profiles.ts';
import { createProviders } from './providers.ts';
import { complianceRoutes } from './routes.ts';
import { createRuleCatalog } from './rule-catalog.ts';
import { createComplianceRuns } from './runs.ts';
import { findProfilesOfConnector, profiles, removeRulesOfConnector } from './store.ts';

export interface ComplianceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly raProfiles: RaProfiles;
  readonly tokens: Tokens;
  readonly keys: Pick<Keys, 'checked'>;
  readonly certificates: Pick<CertificatesArea, 'assertVisible' | 'compliance'>;
  readonly inventory: Pick<InventoryArea, 'checked'>;
}

export function createComplianceArea(platform: Platform, areas: ComplianceParts): Area {
  publishComplianceEvents(platform.events);
  const { audit, attributes, connectors, raProfiles, tokens } = areas;
  const { assertVisible, compliance } = areas.certificates;
  const { checked: certificates } = areas.inventory;
  const { checked: keys } = areas.keys;
  const providers = createProviders({ connectors });
  const check = createCheck({ platform, attributes, certificates, keys, providers });
  const keeper = createResultRecorder({ platform, check, certificates, keys });
  const runs = createComplianceRuns(platform, { audit, keeper, certificates, keys });
  const associations = createAssociations(platform, { audit, raProfiles, tokens });
  const internal = createInternalRules(platform, { audit, certificates, keys });
  const catalogue = createRuleCatalog(platform, { providers, internal, connectors });
  const service = createProfileService(platform, { audit, attributes, providers });
  const checks = createCheckService(platform, {
    runs,
    associations,
    certificates,
    asked: createRequestedObjects({ certificates, assertVisible, keys, raProfiles, tokens }),
  });
  const progress = createProgress(platform, { audit });
  const legacy = createLegacyProfiles(platform, { attributes, service, catalogue, raProfiles });
  connectGate(platform, { associations, keeper, certificates, connect: compliance.connect });
  connectors.registerDependants({
    what: 'Compliance profiles',
    names: findProfilesOfConnector,
    detach: async (tx, uuid) => void (await removeRulesOfConnector(tx, uuid)),
  });
  return {
    routes: complianceRoutes({ service, internal, catalogue, associations, checks, progress, legacy }),
    objectNames: { complianceProfiles: profiles.findNames },
    start: async () => runs.start(),
    stop: () => runs.stop(),
  };
}
