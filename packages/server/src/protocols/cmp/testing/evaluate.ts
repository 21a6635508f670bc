// Authenticates the sender of a message under circumstances that a test chooses.
import { parsePkiMessage } from '@signetry/pki';
import { nodeMacFunctions } from '@signetry/pki/node';
import { expect } from 'vitest';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import { senderOf, type SenderParts } from '../messages/sender.ts';
import { profileWith, RA_PROFILE } from './calls.ts';

const NOW_MS = Date.now();
export const SIGNED = { requestProtectionMethod: 'signature' } as const;

export interface Circumstances {
  readonly profile?: Partial<ServedCmpProfile>;
  readonly known?: FoundCertificate;
  readonly revocation?: Awaited<ReturnType<SenderParts['findRevocation']>>;
  readonly oneTime?: Awaited<ReturnType<SenderParts['enrollments']['secrets']['findByReference']>>;
  readonly nowMs?: number;
}

/** Returns the sender, and the lookups that were needed to identify it. */
export async function evaluateSender(der: Uint8Array, circumstances: Circumstances = {}) {
  const { profile, known, revocation = { status: 'good' }, oneTime, nowMs = NOW_MS } = circumstances;
  const references: unknown[] = [];
  const paths: string[][] = [];
  const parts: SenderParts = {
    clock: { now: () => new Date(nowMs), monotonicMs: () => 0 },
    derivations: { from: () => nodeMacFunctions },
    enrollments: {
      checkCredential: (_credential, check) => check(),
      secrets: {
        findBySecret: async () => undefined,
        findByReference: async (query) => {
          references.push(query);
          return query.reference === 'device-7' ? oneTime : undefined;
        },
      },
    },
    certificates: { findByContent: async () => known },
    findRevocation: async ({ issuers }) => {
      paths.push(
        issuers.map(({ subject }) =>
          subject.rdns
            .flat()
            .map(({ value }) => value)
            .join(),
        ),
      );
      return revocation;
    },
  };
  const message = parsePkiMessage(der);
  const facts = {
    message,
    profile: profileWith(profile),
    raProfileUuid: RA_PROFILE.uuid,
    transactionId: 'aa',
    address: null,
  };
  return { sender: await senderOf(parts, facts), references, paths };
}

/** Returns the expected error of a rejected message. */
export const rejection = (failure: string, words: RegExp) => ({ failure, message: expect.stringMatching(words) });
