// The stored state of a transaction and its changes, for messages that continue it.
import type { PkiBody } from '@signetry/pki';
import { expect } from 'vitest';
import type { Enrollment, Enrollments } from '../../../areas/enrollments/index.ts';
import type { FollowUpParts } from '../bodies/follow-ups.ts';
import { LAST_NONCE, protocolsWith } from './calls.ts';

/** Header of a client that received the last response. */
export const REPEATED_HEADER = { recipientNonce: LAST_NONCE };

type Settlement = { uuid: string } & Parameters<Enrollments['settle']>[1];

/** Returns services that find these states one after another, and records of the changes. */
export function partsWith(found: readonly (Enrollment | undefined)[], settles: readonly boolean[] = []) {
  const [settled, revoked, keys]: [Settlement[], unknown[], unknown[]] = [[], [], []];
  const parts: FollowUpParts = {
    enrollments: {
      enroll: () => Promise.reject(new Error('nothing is begun')),
      find: async (key) => {
        keys.push(key);
        return found[Math.min(keys.length, found.length) - 1];
      },
      settle: async (uuid, settlement) => {
        settled.push({ uuid, ...settlement });
        return settles[settled.length - 1] ?? true;
      },
    },
    certificates: protocolsWith({ revoke: async (input) => void revoked.push(input) }),
    chains: { issuersOf: async () => [], chainOf: async () => [] },
    raProfiles: { caCertificateUuids: async () => [] },
  };
  return { parts, settled, revoked, keys };
}

export const bodyOf = <T extends PkiBody['type']>(body: PkiBody, type: T): Extract<PkiBody, { type: T }> =>
  // The comparison ensures the type.
  body.type === type ? (body as Extract<PkiBody, { type: T }>) : expect.fail(body.type);
