// Discovery providers: a discovery is started, waited for, and read page by page.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { discoveryProviderOperations as discovery, type DiscoveryProviderDto } from '@signetry/contract';
import { certificateIn } from '../certificates/judge.ts';
import { checkUseRefuses } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, from } from '../session.ts';
import { checkKindForm } from './credential.ts';
import { checkUnknownKind } from './instances.ts';

/** Platforms wait longer; what is checked here should be small. */
const DISCOVERY_MS = 120_000;
const PAUSE_MS = 250;
/** Small, so that there are several pages of little. */
const PAGE = 2;
/** What is found beyond is not read. */
const MAX_READ = 200;

interface Started {
  readonly uuid: string;
  readonly name: string;
}

export async function checkDiscoveryProvider(scope: Scope): Promise<void> {
  const { session, kind } = scope;
  const form = await checkKindForm(scope, 'a discovery');
  await checkUnknownKind(scope);
  const start = async (name: string, idempotencyKey?: string): Promise<Started> => {
    const body = { name, kind, attributes: from(form, 'the values of a discovery').values };
    const started = await session.ask(discovery.discoverCertificate, {
      body,
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
    const params = { uuid: started.uuid };
    session.defer(() => session.exchange(scope.requestOf(discovery.deleteDiscovery, { params })));
    expect(
      started.uuid !== '' && started.name === name,
      'It has no identifier, or another name.',
      `the discovery ${name}`,
    );
    return { uuid: started.uuid, name };
  };
  const started = await scope.check('starts a discovery', () => start(newName()));
  const page = (run: Started, pageNumber: number, itemsPerPage: number) =>
    session.ask(discovery.getDiscovery, {
      params: { uuid: run.uuid },
      body: { name: run.name, kind, pageNumber, itemsPerPage },
    });
  const found = await scope.check('brings a discovery to its end', () =>
    finished(() => page(from(started, 'starts a discovery'), 1, 100)),
  );
  await checkPages(scope, { page, started, found });
  await scope.check('answers 404 for a discovery that does not exist', () =>
    session.refused(
      discovery.getDiscovery,
      { params: { uuid: randomUUID() }, body: { name: newName(), kind, pageNumber: 1, itemsPerPage: PAGE } },
      [404],
    ),
  );
  await checkUseRefuses(scope, 'starting a discovery', {
    form,
    refused: (attributes) =>
      session.refused(discovery.discoverCertificate, { body: { name: newName(), kind, attributes } }, [422, 400]),
  });
  await scope.check('starts one discovery under the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const [name, key] = [newName(), randomUUID()];
    const [first, second] = [await start(name, key), await start(name, key)];
    expect(first.uuid === second.uuid, 'There are two.', `the discovery ${first.uuid} again`);
  });
  await checkDeletion(scope, started, start);
}

interface Finished {
  readonly page: (run: Started, pageNumber: number, itemsPerPage: number) => Promise<DiscoveryProviderDto>;
  readonly started: Started | undefined;
  /** How many certificates there are. */
  readonly found: number | undefined;
}

async function checkPages(scope: Scope, { page, started, found }: Finished): Promise<void> {
  await scope.check('answers what was found page by page, as certificates', async () => {
    const total = from(found, 'brings a discovery to its end');
    const read: string[] = [];
    for (let number = 1; read.length < Math.min(total, MAX_READ); number += 1) {
      const { certificateData } = await page(from(started, 'starts a discovery'), number, PAGE);
      expect(certificateData.length <= PAGE, `Page ${number} has more than it may.`, `at most ${PAGE} certificates`);
      expect(
        certificateData.length > 0,
        `Page ${number} is empty, although there are ${total} certificates.`,
        'the rest',
      );
      for (const { uuid, base64Content } of certificateData) {
        certificateIn(base64Content);
        read.push(uuid);
      }
    }
    expect(new Set(read).size === read.length, 'Pages overlap.', 'each certificate once');
  });
  await scope.check('answers a page twice with the same, and with nothing behind the last', async () => {
    const total = from(found, 'brings a discovery to its end');
    const run = from(started, 'starts a discovery');
    const uuidsOf = async () => (await page(run, 1, PAGE)).certificateData.map(({ uuid }) => uuid);
    const [first, again] = [await uuidsOf(), await uuidsOf()];
    expect(first.join() === again.join(), 'The second answer has other certificates.', first.join());
    const behind = await page(run, Math.floor(total / PAGE) + 2, PAGE);
    expect(behind.certificateData.length === 0, 'There are certificates.', 'none');
    expect(
      behind.totalCertificatesDiscovered === total,
      `It says ${behind.totalCertificatesDiscovered} certificates there.`,
      `${total}, as on every page`,
    );
  });
}

const newName = (): string => `conformance-${randomUUID()}`;

/** The number of certificates that were found. */
async function finished(
  look: () => Promise<{ readonly status: string; readonly totalCertificatesDiscovered: number }>,
): Promise<number> {
  const end = Date.now() + DISCOVERY_MS;
  for (;;) {
    const { status, totalCertificatesDiscovered } = await look();
    if (status === 'completed' || status === 'warning') return totalCertificatesDiscovered;
    expect(
      status !== 'failed',
      'The discovery failed. Give values with --attributes that it can work with.',
      'completed',
    );
    expect(Date.now() < end, `It has not come to its end within ${DISCOVERY_MS / 1000} s.`, 'completed');
    await delay(PAUSE_MS);
  }
}

async function checkDeletion(
  scope: Scope,
  started: Started | undefined,
  start: (name: string) => Promise<Started>,
): Promise<void> {
  await scope.check('forgets a discovery that is deleted', async () => {
    scope.need(discovery.deleteDiscovery);
    const { uuid, name } = from(started, 'starts a discovery');
    await scope.session.ask(discovery.deleteDiscovery, { params: { uuid } });
    const body = { name, kind: scope.kind, pageNumber: 1, itemsPerPage: PAGE };
    await scope.session.refused(discovery.getDiscovery, { params: { uuid }, body }, [404]);
  });
  await scope.check('ends a discovery that is deleted while it runs', async () => {
    scope.need(discovery.deleteDiscovery);
    const { uuid, name } = await start(newName());
    await scope.session.ask(discovery.deleteDiscovery, { params: { uuid } });
    const body = { name, kind: scope.kind, pageNumber: 1, itemsPerPage: PAGE };
    await scope.session.refused(discovery.getDiscovery, { params: { uuid }, body }, [404]);
  });
}
