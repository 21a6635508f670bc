// Compliance in the certificate lifecycle: a request is checked before it is signed, and a certificate when it is
// assigned an RA profile that has rules.
import type { Platform } from '../../platform/platform.ts';
import type { ComplianceGate } from '../certificates/index.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import type { Associations } from './associations.ts';
import { violatedFirst } from './outcomes.ts';
import { problemOf } from './rule-results.ts';
import './events.ts';
import type { ResultRecorder } from './record-results.ts';
import { findResults } from './store-results.ts';

export interface GateParts {
  readonly associations: Pick<Associations, 'appliesTo'>;
  readonly keeper: ResultRecorder;
  readonly certificates: Pick<CheckedCertificates, 'find'>;
  readonly connect: (gate: ComplianceGate) => void;
}

export function connectGate(platform: Platform, { associations, keeper, certificates, connect }: GateParts): void {
  const { database, events } = platform;
  const { executor } = database;

  async function problemOfRequest({
    certificateUuid,
    isRepeated,
  }: Parameters<ComplianceGate['problemOfRequest']>[0]): Promise<string | undefined> {
    const request = (await certificates.find([certificateUuid])).find((each) => each.subject === 'certificateRequests');
    if (!request) return undefined;
    if (isRepeated && (await findResults(executor, request.subject, [request.uuid])).length > 0) return undefined;
    const [verdict] = await keeper.checkNow([request]);
    return verdict?.status === 'nok' || verdict?.status === 'failed'
      ? problemOf(verdict.rules, verdict.message)
      : undefined;
  }

  events.subscribe({
    event: 'certificate_compliance_due',
    queue: 'compliance-check',
    mergeBy: ({ certificateUuid }) => certificateUuid,
    handle: async ({ certificateUuid }, { signal }) => {
      await keeper.checkNow(await certificates.find([certificateUuid]), signal);
    },
  });

  connect({
    appliesTo: associations.appliesTo,
    problemOfRequest,
    checkLater: (tx, uuids) =>
      events.appendAll(
        tx,
        'certificate_compliance_due',
        uuids.map((certificateUuid) => ({ certificateUuid })),
      ),
    failedRulesOf: async (certificateUuid) => {
      const [result] = await findResults(executor, 'certificates', [certificateUuid]);
      return violatedFirst(result?.rules ?? []).flatMap(({ connectorName, name, description, status }) =>
        connectorName === undefined
          ? []
          : [{ connectorName, ruleName: name, ruleDescription: description ?? '', status }],
      );
    },
  });
}
