// Compares externally stored heads with the chains: a head that was once valid remains a seal of its chain forever.
import type { Executor } from '../../platform/database/database.ts';
import { headMac, positionAfter, sameBytes } from './chain.ts';
import type { SentHead } from './chain-head.ts';
import type { AuditEndFault, AuditFindings } from './findings.ts';
import * as store from './store-chain.ts';

export interface HeadsToVerify {
  readonly key: Uint8Array;
  readonly ends: readonly SentHead[];
  readonly findings: AuditFindings;
}

export async function verifyHeads(executor: Executor, { key, ends, findings }: HeadsToVerify): Promise<void> {
  for (const end of ends) {
    findings.counts.ends += 1;
    const problem = await problemOf(executor, { key, end });
    if (problem === undefined) continue;
    const { node, place } = end;
    findings.badEnd({ node, seals: place.number, records: place.nextSequence - 1, problem });
  }
}

async function problemOf(
  executor: Executor,
  { key, end }: { readonly key: Uint8Array; readonly end: SentHead },
): Promise<AuditEndFault['problem'] | undefined> {
  const { node, place, mac } = end;
  if (!sameBytes(headMac(key, { node, place }), mac)) return 'it was not created by this installation, or was altered';
  const last = await store.findLastSeal(executor, node);
  if (!last) return `the chain no longer exists; it had ${countOf(place.nextSequence - 1)}`;
  const reached = positionAfter(last);
  if (reached.number < place.number)
    return `the chain ends with seal ${reached.number}; records missing after it: ${place.nextSequence - reached.nextSequence}`;
  if (await store.hasPosition(executor, node, place)) return undefined;
  const part = { nodeId: node, afterNumber: place.number - 1, upToNumber: place.number, limit: 1 };
  const [other] = await store.findSeals(executor, part);
  return other
    ? `seal ${place.number} has a different value: it and everything before it were replaced`
    : `seal ${place.number} is missing`;
}

const countOf = (records: number): string => (records === 1 ? '1 record' : `${records} records`);
