// Commands for tokens that store keys, run against a fake platform.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const token = {
  uuid,
  name: 'strongroom',
  status: 'Deactivated',
  kind: 'SOFT',
  connectorName: 'soft',
  tokenProfiles: 2,
};
const code = {
  uuid: '7d3c1b8e-2f60-4c10-9a41-000000000020',
  name: 'data_activationCode',
  type: 'data',
  contentType: 'secret',
  properties: { label: 'Activation code', visible: true, required: true, readOnly: false, list: false },
};
const platformWith = (form: readonly object[]): Replies => ({
  'GET /v1/tokens': { body: [token] },
  [`GET /v1/tokens/${uuid}/activate/attributes`]: { body: form },
  [`PATCH /v1/tokens/${uuid}/activate`]: { status: 204 },
  [`PATCH /v1/tokens/${uuid}/deactivate`]: { status: 204 },
});
const sentCode = [
  { uuid: code.uuid, name: code.name, contentType: 'secret', content: [{ data: { secret: 'open sesame' } }] },
];

describe('token-store list', () => {
  it('prints a table', async () => {
    const { code: exit, out } = await ask(platformWith([code]), ['token-store', 'list']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^Name +Status +Kind +Profiles +Connector +UUID\nstrongroom +Deactivated +SOFT +2 +soft +/);
  });
});

describe('token-store activate', () => {
  it('prompts for the activation code without echo', async () => {
    const platform = await startFakePlatform(platformWith([code]));
    const asked: string[] = [];
    const { code: exit, err } = await run(['token-store', 'activate', 'strongroom', '--data', platform.data], {
      askHidden: async (question) => {
        asked.push(question);
        return 'open sesame';
      },
    });
    expect([exit, err]).toEqual([0, 'Token "strongroom" activated.']);
    expect(asked).toEqual(['Activation code: ']);
    expect(platform.asked.at(-1)?.body).toEqual(sentCode);
  });

  it('reads the activation code from a file, and removes the line break', async () => {
    const platform = await startFakePlatform(platformWith([code]));
    writeFileSync(join(platform.data, 'code'), 'open sesame\n');
    const args = ['token-store', 'activate', uuid, '--code-file', 'code', '--data', platform.data];
    const ran = await run(args, { cwd: platform.data });
    expect(ran.code).toBe(0);
    expect(platform.asked.at(-1)?.body).toEqual(sentCode);
  });

  it('sends nothing if there is no activation code, and explains how to specify one', async () => {
    const { code: exit, err, asked } = await ask(platformWith([code]), ['token-store', 'activate', 'strongroom']);
    expect(exit).toBe(2);
    expect(err).toContain('Specify a file with --code-file.');
    expect(asked.map(({ method }) => method)).not.toContain('PATCH');
  });

  it('sends no activation code if the token does not require one', async () => {
    const { code: exit, asked } = await ask(platformWith([]), ['token-store', 'activate', 'strongroom']);
    expect([exit, asked.at(-1)?.body]).toEqual([0, []]);
  });

  it('refers to the console for longer forms', async () => {
    const slot = { ...code, name: 'slot', contentType: 'string' };
    const { code: exit, err } = await ask(platformWith([code, slot]), ['token-store', 'activate', 'strongroom']);
    expect(exit).toBe(1);
    expect(err).toContain('Activate it in the console');
  });
});

describe('token-store deactivate', () => {
  it('deactivates a token, and explains how to list tokens if the specified name is unknown', async () => {
    const { err } = await ask(platformWith([code]), ['token-store', 'deactivate', 'strongroom']);
    expect(err).toBe('Token "strongroom" deactivated.');
    const refused = await ask(platformWith([code]), ['token-store', 'deactivate', 'strong']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('signetry token-store list')]);
  });
});
