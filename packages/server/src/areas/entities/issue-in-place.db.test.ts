// Certificates for keys that a location makes; what issues them does what a test says.
import { locationOperations } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, notFound } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { HeldCertificates } from '../inventory/index.ts';
import { issueInPlace, renewInPlace } from './issue-in-place.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { aliasMetadata, MAKE_KEY, onForm, PUSH, READ, REMOVE } from './testing/shelf-connector.ts';

type Issue = HeldCertificates['issue'];
type Succeed = HeldCertificates['succeed'];

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

const partsWith = (doing: { readonly issue?: Issue; readonly succeed?: Succeed }) => ({
  ...test.parts,
  certificates: { ...test.parts.certificates, ...doing },
});
/** Refuses when the request is there. */
const refused: Issue = async ({ request }) => {
  await request();
  throw notFound('RA profile', 'r');
};

const contextOf = (operation: keyof typeof locationOperations) => ({
  ...test.test.context,
  audit: locationOperations[operation].audit,
});

function issue(path: Path, doing: Issue, facts: object = {}): Promise<void> {
  const csrAttributes = [onForm('data_alias', 'web')];
  const request = { raProfileUuid: newUuid(), csrAttributes, issueAttributes: [], replace: false, ...facts };
  return issueInPlace(partsWith({ issue: doing }), path, { request, context: contextOf('issueCertificateToLocation') });
}

const renew = (path: Path, certificateUuid: string, succeed: Succeed): Promise<string> =>
  renewInPlace(partsWith({ succeed }), { ...path, certificateUuid }, contextOf('renewCertificateInLocation'));

/** An issuance, and what it was asked for. */
async function issuing(name: string, state = 'issued') {
  const { uuid, der } = await test.certificate(name);
  await test.database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [uuid, state]);
  const asked: object[] = [];
  const act = async ({ request, withReservation, ...rest }: Parameters<Succeed>[1]) => {
    asked.push({ ...rest, request: await request() });
    await test.database.transaction((tx) => withReservation(tx, uuid));
    return { uuid, der: state === 'issued' ? der : undefined } as Awaited<ReturnType<Issue>>; // what is read of it
  };
  return { uuid, asked, act };
}
const made = () => test.connector.callsTo(MAKE_KEY);
const refusal = (problem: string) => ({ code: 'rejected_by_rules', parameters: { problems: [problem] } });

describe('a certificate for a key of a location', () => {
  it('is asked for with the request that was made there, and pushed with the values that go with it', async () => {
    const [place, issued] = [await test.addLocation('made'), await issuing('made.test')];
    const custom = (name: string, data: string) => ({ ...onForm('data_alias', data), name });
    await issue(place, issued.act, {
      customAttributes: [custom('a', 'first'), custom('b', 'first')],
      certificateCustomAttributes: [custom('b', 'second')],
    });
    expect(made().at(-1)?.body).toMatchObject({ renewal: false, csrAttributes: [{ content: [{ data: 'web' }] }] });
    expect(issued.asked).toMatchObject([{ request: 'AQID', attributes: [] }]);
    const named = (name: string, data: string) => ({ name, content: [{ data }] });
    expect(issued.asked).toMatchObject([{ customAttributes: [named('a', 'first'), named('b', 'second')] }]);
    expect(test.connector.callsTo(PUSH).at(-1)?.body).toMatchObject({
      pushAttributes: [{ content: [{ data: 'made' }] }],
    });
    expect(await test.states(place)).toEqual({ [issued.uuid]: 'installed' });
  });

  it('waits for its issuance, and what the provider said about the key is kept for its removal', async () => {
    const [place, issued] = [await test.addLocation('later'), await issuing('later.test', 'requested')];
    const pushes = test.connector.callsTo(PUSH).length;
    await issue(place, issued.act);
    expect(await test.held(place)).toMatchObject([{ state: 'waiting', metadata: [aliasMetadata('made')] }]);
    expect(test.connector.callsTo(PUSH)).toHaveLength(pushes);
  });

  it('leaves no key behind where it is not issued, and the refusal is that of the issuance', async () => {
    const place = await test.addLocation('no key left');
    const before = test.connector.callsTo(REMOVE).length;
    await expect(issue(place, refused)).rejects.toMatchObject({ code: 'object_not_found' });
    const removed = test.connector.callsTo(REMOVE).slice(before);
    expect(removed).toMatchObject([{ body: { certificateMetadata: [aliasMetadata('made')] } }]);
    test.fail(REMOVE, { behaviour: { status: 422, body: ['no'] } });
    await expect(issue(place, refused)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await test.states(place)).toEqual({});
  });

  it('leaves alone what was in the location before its request, and what a certificate has come to since', async () => {
    const place = await test.addLocation('used alias');
    const held = await test.certificate('held.test');
    const entry = { certificateData: held.base64, withKey: true, metadata: [aliasMetadata('Made')] };
    const before = test.connector.callsTo(REMOVE).length;
    test.shelf('used alias').push(entry);
    await expect(issue(place, refused)).rejects.toMatchObject({ code: 'object_not_found' });
    test.shelf('used alias').splice(0);
    const arrivesMeanwhile: Issue = async ({ request }) => {
      await request();
      test.shelf('used alias').push(entry);
      throw notFound('RA profile', 'r');
    };
    await expect(issue(place, arrivesMeanwhile)).rejects.toMatchObject({ code: 'object_not_found' });
    test.fail(READ, { behaviour: { status: 500, body: {} } });
    await expect(issue(place, refused)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(test.connector.callsTo(REMOVE)).toHaveLength(before);
    expect(test.shelf('used alias')).toEqual([entry]);
  });

  it('keeps its key where nobody knows whether it was issued, and comes to the location once it is', async () => {
    const [place, issued] = [await test.addLocation('late answer'), await issuing('late answer.test', 'pending_issue')];
    const error = new AppError('connector_unreachable', { connector: 'CA', reason: 'no answer in time' });
    const undecided: Issue = async (made) => ({ ...(await issued.act(made)), undecided: error });
    const before = test.connector.callsTo(REMOVE).length;
    await expect(issue(place, undecided)).rejects.toBe(error);
    expect(test.connector.callsTo(REMOVE)).toHaveLength(before);
    expect(await test.states(place)).toEqual({ [issued.uuid]: 'waiting' });
  });

  it('is refused before a key is made where the place is taken, no keys are made, or the location is disabled', async () => {
    const places = [
      await test.addLocation('taken', { single: true }),
      await test.addLocation('keyless'),
      await test.addLocation('closed'),
    ] as const;
    await test.push(places[0], (await test.certificate('there.test')).uuid);
    await test.database.query('UPDATE location SET key_management = false WHERE uuid = $1', [places[1].locationUuid]);
    await test.call('disableLocation', { params: places[2] });
    const before = made().length;
    const problems = [
      'The location taken holds a certificate already, and one only: have that replaced, or remove it first.',
      'No keys can be made in the location keyless: issue the certificate elsewhere, and push it.',
      'The location closed is disabled: enable it first.',
    ];
    for (const [index, problem] of problems.entries())
      await expect(issue(places[index] ?? places[0], refused)).rejects.toMatchObject(refusal(problem));
    expect(made()).toHaveLength(before);
  });
});

describe('the renewal of what a location holds', () => {
  it('has the key made as before, and takes the place of the former certificate', async () => {
    const place = await test.addLocation('renewed', { single: true });
    const [first, second] = [await issuing('first.test'), await issuing('second.test')];
    await issue(place, first.act);
    const renewed: string[] = [];
    const uuid = await renew(place, first.uuid, (of, made) => {
      renewed.push(of);
      return second.act(made);
    });
    expect([uuid, renewed]).toEqual([second.uuid, [first.uuid]]);
    expect(second.asked).toEqual([{ request: 'AQID' }]);
    expect(made().at(-1)?.body).toMatchObject({ renewal: true, csrAttributes: [{ content: [{ data: 'web' }] }] });
    expect(await test.states(place)).toEqual({ [second.uuid]: 'installed' });
  });

  it('removes nothing from the location where it fails, at once or later', async () => {
    const place = await test.addLocation('in use', { single: true });
    const [first, failed] = [await issuing('in use.test'), await issuing('failed.test', 'failed')];
    await issue(place, first.act);
    const [before, there] = [test.connector.callsTo(REMOVE).length, [...test.shelf('in use')]];
    const fails: readonly Succeed[] = [
      (_of, made) => refused({ ...made, raProfileUuid: '', attributes: [], customAttributes: [] }, test.test.context),
      async (_of, made) => {
        await failed.act(made);
        throw new AppError('certificate_operation', { problem: 'no' }, { objectUuid: failed.uuid });
      },
    ];
    for (const succeed of fails) await expect(renew(place, first.uuid, succeed)).rejects.toThrow(AppError);
    expect(await test.states(place)).toEqual({ [first.uuid]: 'installed' });
    await renew(place, first.uuid, (_of, made) => failed.act(made));
    const rounds = test.newUnfinished();
    rounds.start();
    await expect.poll(() => test.states(place)).toEqual({ [first.uuid]: 'installed' });
    await rounds.stop();
    expect(test.connector.callsTo(REMOVE)).toHaveLength(before);
    expect(test.shelf('in use')).toEqual(there);
  });

  it('has one successor where several ask for it at once, who all get that one', async () => {
    const place = await test.addLocation('asked often', { single: true });
    const [first, second] = [await issuing('first often.test'), await issuing('second often.test')];
    await issue(place, first.act);
    const before = made().length;
    const succeed: Succeed = async (_of, request) => {
      const answer = await second.act(request);
      await test.database.query(
        `INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
         VALUES ($1, $2, 'renewal', now())`,
        [second.uuid, first.uuid],
      );
      return answer;
    };
    const renewals = await Promise.all([1, 2, 3, 4, 5, 6].map(() => renew(place, first.uuid, succeed)));
    expect(new Set(renewals)).toEqual(new Set([second.uuid]));
    expect(made().length - before).toBe(1);
    expect(await test.states(place)).toEqual({ [second.uuid]: 'installed' });
  });

  it('is refused where nobody knows how its request was made, or it is not there', async () => {
    const [place, { uuid }] = [await test.addLocation('pushed'), await test.certificate('pushed.test')];
    const never: Succeed = () => expect.unreachable('nothing is issued');
    await expect(renew(place, uuid, never)).rejects.toMatchObject(
      refusal('The certificate pushed.test is not in the location pushed.'),
    );
    await test.push(place, uuid);
    await expect(renew(place, uuid, never)).rejects.toMatchObject(
      refusal(
        'The platform has no record of how the request for pushed.test was created in pushed: issue a new certificate to the location instead.',
      ),
    );
  });
});
