// Certificates for keys that a location makes; what issues them does what a test says.
import { locationOperations } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { notFound } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { HeldCertificates } from '../certificates/index.ts';
import { issueInPlace, renewInPlace } from './issue-in-place.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { aliasMetadata, MAKE_KEY, onForm, PUSH, REMOVE } from './testing/shelf-connector.ts';

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
const refused: Issue = () => Promise.reject(notFound('RA profile', 'r'));

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
  const asked: Parameters<Issue>[0][] = [];
  const act: Issue = async (request) => {
    asked.push(request);
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
    expect(issued.asked).toMatchObject([{ request: Buffer.from([1, 2, 3]), attributes: [] }]);
    const customs = issued.asked[0]?.customAttributes.map(({ name, content }) => [name, content[0]?.data]);
    expect(customs).toEqual([['a', 'first'], ['b', 'second']]); // prettier-ignore
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
    const asked: unknown[] = [];
    const uuid = await renew(place, first.uuid, async (of, request, context) => {
      asked.push(of, request);
      return second.act({ raProfileUuid: '', request, attributes: [], customAttributes: [] }, context);
    });
    expect([uuid, asked]).toEqual([second.uuid, [first.uuid, Buffer.from([1, 2, 3])]]);
    expect(made().at(-1)?.body).toMatchObject({ renewal: true, csrAttributes: [{ content: [{ data: 'web' }] }] });
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
        'Nobody knows how the request for pushed.test was made in pushed: issue a new certificate to the location in its place instead.',
      ),
    );
  });
});
