// The audit trail: one record per state change, written in the transaction of the change and sealed into a chain per
// node. Owns: audit_record, audit_unsealed, audit_line, audit_chain, audit_seal, audit_purge, audit_key. Invariants:
// records are never updated; every committed record is sealed within seconds; a removed record is covered by a purge
// marker; a chain that ends earlier than this process remembers raises an alarm.
//
// record.ts, trail.ts                          contents of an audit record, and how it is written with its change
// csv.ts, export-audit-log.ts                  the audit log as CSV in a ZIP archive (zip-archive.ts), or as JSON lines
// service.ts, search-fields.ts                 search, export, purge and verification; the filters of the audit log
// purge-audit-log.ts                           deletion of records on request or after retention, with markers
// logging-rules.ts, logging-settings.ts        what is recorded, and where; logging-policy.ts informs all nodes
// trail.ts, rejection-digest.ts                  records of reads in batches, and of rejected requests by source
// parameters.ts, named-objects.ts              request parameters without secrets, and the objects that a request names
// sealer.ts, chain.ts, chain-head.ts            the chain of seals that makes tampering visible; its key: store-key.ts
// verify-audit.ts, verify-heads.ts              verification of the chain; findings.ts builds the report
// external-sink.ts                                   chain heads sent to the log, a file and a webhook; its retry delay
// printer.ts, store-lines.ts                   audit records as log lines
// store.ts, store-records.ts, store-chain.ts   queries for the log, the insert of records, queries for seals
// routes.ts, present.ts, events.ts, tables.ts  operations, their responses, events and rows
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import { auditKeyColumn, createAuditKey, type AuditKey } from './store-key.ts';
import type { AuditReport } from './findings.ts';
import { createExternalAuditSink, type ExternalSinkSettings } from './external-sink.ts';
import { createLoggingPolicy } from './logging-policy.ts';
import { createLoggingSettings } from './logging-settings.ts';
import { purgeOldest } from './purge-audit-log.ts';
import { createAuditPrinter } from './printer.ts';
import { auditRoutes } from './routes.ts';
import { createAuditSealer } from './sealer.ts';
import { createAuditService } from './service.ts';
import { createAuditTrail, type AuditTrail } from './trail.ts';

export type { AuditReport } from './findings.ts';
export type { ExternalSinkSettings } from './external-sink.ts';
export type { AuditEntry, AuditRecord } from './record.ts';
export type { AuditTrail } from './trail.ts';
export { namedObjects } from './named-objects.ts';
export { withRecord } from './trail.ts';
export { auditInsertCte, auditInsertValue } from './store-records.ts';

/** Maximum delay before a minute's summary of rejected requests is written. */
const REFUSALS_PERIOD_MS = 5_000;
/** Maximum delay before a read is recorded. */
const READS_PERIOD_MS = 1_000;

export interface AuditArea extends Area {
  readonly trail: AuditTrail;
  /** Reads the whole trail and reports records that were altered, removed or added manually. */
  readonly verify: () => Promise<AuditReport>;
}

/** Heads are sent only to the log. */
const onlyLog: ExternalSinkSettings = { endIntervalMs: 3_600_000 };

export function createAuditArea(platform: Platform, settings: ExternalSinkSettings = onlyLog): AuditArea {
  const key = createAuditKey(platform);
  const outside = createExternalAuditSink(platform, settings);
  const policy = createLoggingPolicy(platform);
  const trail = createAuditTrail(platform, policy.rules);
  const printer = createAuditPrinter(platform);
  const sealer = createAuditSealer(platform, { key, outside, endIntervalMs: settings.endIntervalMs });
  const service = createAuditService(platform, { trail, sealer, key });
  const refusals = createRounds({
    log: platform.log,
    what: 'summarizing rejected requests for the audit trail',
    periodMs: REFUSALS_PERIOD_MS,
    run: () => trail.settleRefusals().then(() => false),
  });
  const reads = createRounds({
    log: platform.log,
    what: 'writing audit records of reads',
    periodMs: READS_PERIOD_MS,
    run: () => trail.settleReads().then(() => false),
  });
  return {
    trail,
    verify: service.verify,
    routes: auditRoutes(service, createLoggingSettings(platform, { policy, trail })),
    sealedColumns: () => [auditKeyColumn],
    retentionPolicies: [createRetention(platform, key)],
    async start() {
      await policy.start();
      sealer.start();
      printer.start();
      reads.start();
      refusals.start();
    },
    async stop() {
      await refusals.stop();
      await reads.stop();
      await trail.settleRefusals({ everything: true });
      await trail.settleReads();
      await policy.stop();
      await printer.stop();
      await sealer.stop();
    },
  };
}

const createRetention = ({ clock }: Pick<Platform, 'clock'>, key: AuditKey): RetentionPolicy => ({
  setting: 'auditRecordsKeptDays',
  what: 'audit records',
  tables: ['audit_record'],
  remove: (tx, { before, limit, context }) =>
    purgeOldest(tx, { before, limit, by: context.actor.username, at: clock.now(), key }),
});
