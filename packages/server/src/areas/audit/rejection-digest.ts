// Rejected requests from unauthenticated callers and protocol accounts, with one record per source and minute: the
// first request is recorded immediately, and the others within that minute are summarized in the next record. A flood
// of rejected requests therefore does not flood the audit trail.
import type { Clock } from '../../kernel/clock.ts';
import type { AuditRecord } from './record.ts';

export const DIGEST_WINDOW_MS = 60_000;
/** Maximum number of sources; any additional sources share one entry. */
const MAX_SOURCES = 500;
const OTHERS = 'other sources';
/** Maximum number of operation kinds that are counted separately in a record. */
const MAX_KINDS = 20;

export interface RejectionDigest {
  /** Counts one rejected request; `source` is an IP address or an account. */
  note(source: string, record: AuditRecord): Promise<void>;
  /** Writes the summaries for past minutes; with `everything`, also those for the current minute. */
  settle(options?: { readonly everything?: boolean }): Promise<void>;
}

interface Window {
  untilMs: number;
  /** Number of rejections since the window's record, and the last of these rejections. */
  count: number;
  last: AuditRecord;
  readonly kinds: Map<string, number>;
}

export interface RejectionDigestParts {
  readonly clock: Clock;
  readonly writeRecord: (record: AuditRecord) => Promise<void>;
}

export function createRejectionDigest({ clock, writeRecord }: RejectionDigestParts): RejectionDigest {
  const windows = new Map<string, Window>();

  const openWindow = (last: AuditRecord): Window => ({
    untilMs: clock.monotonicMs() + DIGEST_WINDOW_MS,
    count: 0,
    last,
    kinds: new Map(),
  });

  return {
    async note(source, record) {
      const place = windows.has(source) || windows.size < MAX_SOURCES ? source : OTHERS;
      const window = windows.get(place);
      if (window) addTo(window, record);
      if (window && window.untilMs > clock.monotonicMs()) return;
      windows.set(place, openWindow(record));
      await writeRecord(window ? summary(window) : record);
    },
    async settle({ everything = false } = {}) {
      const now = clock.monotonicMs();
      const due = [...windows].filter(([, { untilMs }]) => everything || untilMs <= now);
      for (const [place, window] of due) {
        if (window.count === 0 || everything) windows.delete(place);
        else windows.set(place, openWindow(window.last));
        if (window.count > 0) await writeRecord(summary(window));
      }
    },
  };
}

function addTo(window: Window, record: AuditRecord): void {
  const kind = `${record.resource}: ${record.operation}`;
  window.count += 1;
  window.last = record;
  if (window.kinds.has(kind) || window.kinds.size < MAX_KINDS)
    window.kinds.set(kind, (window.kinds.get(kind) ?? 0) + 1);
}

/** Returns the last rejection and the number of rejections. */
function summary({ count, last, kinds }: Window): AuditRecord {
  if (count === 1) return last;
  return {
    ...last,
    message: `${last.message ?? 'Request rejected.'} Last of ${count} rejected requests from this source within a minute.`,
    additional_data: { ...last.additional_data, refusedRequests: Object.fromEntries(kinds) },
  };
}
