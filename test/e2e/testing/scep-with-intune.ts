// A platform with a fake of the Microsoft Intune services, a SCEP profile whose requests they validate, and a device
// that requests certificates from it.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import {
  APPLICATION_ID,
  CHALLENGE,
  startIntuneService,
  TENANT,
  type Failure,
  type IntuneService,
} from './intune-service.ts';
import { defaultProfile, type IssuingPath } from './profiles.ts';
import { caCertificates, post, readResponse, type ScepResponse } from './scep-client.ts';
import { makeDevice, makeMessage, requestOf, type MessageSpec, type ScepDevice } from './scep-messages.ts';
import { addScepProfile, makeScepCertificate, type ScepProfileOfTest } from './scep-profiles.ts';

export const soon = { timeout: 20_000, interval: 100 };

interface Facts {
  readonly client: Client;
  readonly path: IssuingPath;
  readonly caCertificateUuid: string;
  readonly device: ScepDevice;
}

export interface SendOptions extends Partial<MessageSpec> {
  readonly url?: string;
}

export interface ScepWithIntune {
  readonly server: TestServer;
  readonly intune: IntuneService;
  /** Available after `beforeAll`. */
  readonly facts: Facts;
  /** Returns settings of a profile whose requests Intune validates. */
  intuneSettings(): Partial<ScepProfileRequestDto>;
  /** Adds a profile. */
  add(settings?: Partial<ScepProfileRequestDto>): Promise<ScepProfileOfTest>;
  send(sent?: SendOptions): Promise<ScepResponse>;
  /** Sends a request and polls until the certificate is issued. */
  enrolled(sent?: SendOptions): Promise<Certificate>;
  /**
   * Expects that nothing is issued and the device is told to retry later while a service fails this way, and that
   * issuance succeeds afterwards.
   */
  expectPutOff(service: string, failures: readonly Failure[], words: RegExp): Promise<void>;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  countAll(): Promise<number>;
  /** Makes pending Intune notifications due immediately. */
  dueNow(): Promise<unknown>;
  uuidOf(certificate: Certificate): Promise<string>;
}

/** Shared by all tests of a file. Call at the top of the file. */
export function sharedScepWithIntune(): ScepWithIntune {
  let intune: IntuneService;
  let facts: Facts;
  let served: Served;
  const server = sharedTestServer({
    args: async () => {
      intune = await startIntuneService();
      return intune.args;
    },
  });
  const profiles = profileHelpers({ server, intune: () => intune, facts: () => facts });
  const inside = inspectionHelpers(server);
  beforeAll(async () => {
    const { client } = server;
    const path = await defaultProfile(client);
    const caCertificateUuid = await makeScepCertificate(client, path);
    facts = { client, path, caCertificateUuid, device: await makeDevice('CN=managed.example') };
    const { url } = await profiles.add();
    const [ca = expect.fail('no CA certificate')] = await caCertificates(url);
    served = { url, ca, device: facts.device };
  });
  beforeEach(() => {
    intune.asked.length = 0;
  });
  afterAll(() => intune.close());
  const requests = requestHelpers(() => served);
  return {
    server,
    get intune() {
      return intune;
    },
    get facts() {
      return facts;
    },
    ...profiles,
    ...requests,
    ...inside,
    async expectPutOff(service, failures, words) {
      const before = await inside.countAll();
      const transactionId = randomUUID();
      intune.fail(service, ...failures);
      expect(await requests.send({ transactionId })).toMatchObject({
        status: 'failure',
        failInfo: 'badRequest',
        failInfoText: expect.stringMatching(words),
      });
      expect(await inside.countAll()).toBe(before);
      await requests.enrolled({ transactionId });
    },
  };
}

interface Parts {
  readonly server: TestServer;
  readonly intune: () => IntuneService;
  readonly facts: () => Facts;
}

function profileHelpers({ server, intune, facts }: Parts) {
  const intuneSettings = (): Partial<ScepProfileRequestDto> => ({
    enableIntune: true,
    intuneTenant: TENANT,
    intuneApplicationId: APPLICATION_ID,
    intuneApplicationKey: intune().applicationKey,
  });

  async function add(settings: Partial<ScepProfileRequestDto> = {}): Promise<ScepProfileOfTest> {
    const { client, path, caCertificateUuid } = facts();
    const wish = { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...intuneSettings(), ...settings };
    const added = await addScepProfile(client, wish);
    return { ...added, url: `${server.ready.http}${new URL(added.url).pathname}` };
  }

  return { intuneSettings, add };
}

interface Served {
  readonly url: string;
  readonly ca: Certificate;
  readonly device: ScepDevice;
}

function requestHelpers(served: () => Served) {
  async function send(sent: SendOptions = {}): Promise<ScepResponse> {
    const { ca, device, url: usual } = served();
    const { url = usual, ...wish } = sent;
    const content = requestOf(device, CHALLENGE);
    const transactionId = randomUUID();
    const whole: MessageSpec = { type: 'PKCSReq', transactionId, content, signer: device, recipient: ca, ...wish };
    const message = await makeMessage(whole);
    return readResponse(await post(url, message), { message, signer: whole.signer, ca });
  }

  async function enroll(sent: SendOptions = {}): Promise<Certificate> {
    const transactionId = sent.transactionId ?? randomUUID();
    return vi.waitFor(async () => {
      const answer = await send({ ...sent, transactionId });
      expect(answer).toMatchObject({ status: 'success' });
      return answer.certificates[0] ?? expect.fail('no certificate');
    }, soon);
  }

  return { send, enrolled: enroll };
}

function inspectionHelpers(server: TestServer) {
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    server.running.platform.database.query<Row>(text, values);
  return {
    query,
    countAll: async () => (await server.client.certificates.listCertificates({ body: {} })).totalItems,
    dueNow: () => query('UPDATE scep_intune_notice SET next_at = now()'),
    uuidOf: async ({ serialNumber }: Certificate): Promise<string> => {
      const text = 'SELECT uuid FROM certificate WHERE serial_number = $1';
      const [row] = await query<{ uuid: string }>(text, [serialNumber]);
      return row?.uuid ?? expect.fail('not in the inventory');
    },
  };
}
