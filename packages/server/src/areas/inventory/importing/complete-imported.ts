// Completes bulk imports, with one job per batch: links certificates to their issuers, then validates them for the
// first time.
import { isSignedBy, parseCertificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { issuerKeyOf, type Issuers } from '../../certificates/index.ts';
import { VALIDATION_BATCH_SIZE, type ValidateMany } from '../../validation/index.ts';
import * as store from './store.ts';

const QUEUE = 'certificates.complete-imported';
/** A large import consists of multiple requests, and the issuers may arrive last. */
const LARGE = 100;
const PAUSE_S = 30;
/** Number of signatures verified before other work gets a turn: about 10 ms. */
const TURN = 50;

export interface CompletionParts {
  readonly platform: Platform;
  readonly issuers: Issuers;
  readonly many: Pick<ValidateMany, 'validateMany'>;
}

export function createCompletion({ platform, issuers, many }: CompletionParts) {
  const { database, clock, jobs } = platform;

  async function complete(uuids: readonly string[], signal?: AbortSignal): Promise<void> {
    await link(uuids);
    const waiting = await store.findToValidate(database.executor, uuids);
    for (let from = 0; from < waiting.length; from += VALIDATION_BATCH_SIZE) {
      signal?.throwIfAborted();
      const batch = waiting.slice(from, from + VALIDATION_BATCH_SIZE);
      await many.validateMany(batch, { context: coreContext(newUuid(), signal), asksResponders: true, signal });
    }
  }

  async function link(uuids: readonly string[]): Promise<void> {
    issuers.forget();
    const links: store.Link[] = [];
    for (const [index, { uuid, issuer_dn_normalized, der }] of (
      await store.findUnlinked(database.executor, uuids)
    ).entries()) {
      const certificate = parseCertificate(der);
      const named = await issuers.named(issuer_dn_normalized, issuerKeyOf(certificate));
      const issuer = named.find(
        (each) =>
          each.row.uuid !== uuid &&
          isSignedBy(certificate, { issuerSpki: each.certificate.spki, verify: nodeCrypto.verify }),
      );
      if (issuer) links.push({ uuid, issuer: issuer.row.uuid, serial: issuer.row.serial_number });
      if (index % TURN === TURN - 1) await letOthersRun();
    }
    if (links.length > 0) await database.transaction((tx) => store.linkSet(tx, links, clock.now()));
  }

  return {
    complete,
    /** Must be called in the transaction of the import. */
    enqueue: (tx: Executor, uuids: readonly string[]): Promise<void> =>
      jobs.enqueue(tx, QUEUE, { uuids }, uuids.length < LARGE ? {} : { startAfterS: PAUSE_S }),
    wake: (): void => jobs.wake(QUEUE),
    /** Call it before the jobs start. */
    declare: (): void =>
      jobs.declare<{ uuids: string[] }>({
        name: QUEUE,
        handle: ({ uuids }, { signal }) => complete(uuids, signal),
      }),
  };
}
