// Records rejections for which no transaction was started, so that users can find out why a device gets no certificate.
// Rate-limited, so that a flood of malformed requests fills neither the list nor the disk.
import { LRUCache } from 'lru-cache';
import { newUuid } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ServedProfile } from '../protocol-profiles/index.ts';
import type { EnrollmentStatements } from './store.ts';
import type { EnrollmentRow } from './tables.ts';

/** Per profile, on this node; unreadable messages have their own limit, so that they do not hide other rejections. */
const NOTED_PER_MINUTE = 30;
const MAX_PROFILES = 1_000;
const MAX_TEXT = 255;

export interface Rejection {
  readonly protocol: EnrollmentRow['protocol'];
  readonly profile: Pick<ServedProfile, 'uuid' | 'name' | 'raProfile'>;
  /** Empty if no transaction ID could be read from the message. */
  readonly transactionId: string;
  /** Empty if the message could not be read. */
  readonly kind: string;
  readonly requester: string;
  /** Empty if unknown. */
  readonly subject?: string | undefined;
  /** Error message. */
  readonly problem: string;
  /** IP address of the client. */
  readonly address?: string | null | undefined;
}

export function createRejectionNotes({
  statements,
  clock,
}: {
  readonly statements: Pick<EnrollmentStatements, 'begin'>;
  readonly clock: Clock;
}) {
  const noted = new LRUCache<string, number>({ max: MAX_PROFILES, ttl: 60_000, noUpdateTTL: true });

  return async function recordRejection(refusal: Rejection): Promise<void> {
    const key = `${refusal.profile.uuid} ${refusal.kind === '' ? 'unreadable' : 'readable'}`;
    const count = noted.get(key) ?? 0;
    if (count >= NOTED_PER_MINUTE) return;
    noted.set(key, count + 1);
    await statements.begin(rowOf(refusal, clock.now()));
  };
}

const rowOf = ({ profile, ...refusal }: Rejection, now: Date): EnrollmentRow => ({
  uuid: newUuid(),
  protocol: refusal.protocol,
  profile_uuid: profile.uuid,
  profile_name: profile.name,
  ra_profile_uuid: profile.raProfile?.uuid ?? null,
  transaction_id: storable(refusal.transactionId),
  kind: refusal.kind,
  requester: storable(refusal.requester),
  subject: storable(refusal.subject ?? ''),
  request_fingerprint: '',
  certificate_uuid: null,
  state: 'refused',
  problem: storable(refusal.problem, 2_000),
  address: refusal.address ?? null,
  detail: {},
  created_at: now,
  updated_at: now,
});

/** PostgreSQL text cannot contain NUL. */
const storable = (text: string, length = MAX_TEXT): string => text.replaceAll('\0', '').slice(0, length);
