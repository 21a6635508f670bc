// Commands for private keys in files, run against a fake platform.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, temporaryFolder, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const [token, profile] = ['0197b1f4-5d3a-7cc2-9d4e-000000000001', '0197b1f4-5d3a-7cc2-9d4e-000000000002'];
const PASSPHRASE = 'correct horse battery';

const replies: Replies = {
  'GET /v1/tokenProfiles': {
    body: [
      {
        uuid: profile,
        name: 'servers',
        tokenInstanceUuid: token,
        tokenInstanceName: 'strongroom',
        tokenInstanceStatus: 'Activated',
        enabled: true,
        usages: ['sign'],
      },
    ],
  },
  [`POST /x/v1/tokens/${token}/tokenProfiles/${profile}/keys/import`]: {
    status: 201,
    body: { keyUuid: uuid, certificateUuid: token, certificateUuids: [token], problems: [] },
  },
  [`GET /v1/certificates/${uuid}`]: { body: { uuid, commonName: 'web.example', state: 'issued' } },
  [`POST /x/v1/certificates/${uuid}/export`]: {
    body: { format: 'pkcs12', fileName: '../web.example.p12', alias: 'web.example', content: 'AQID' },
  },
};

/** Runs a command in a folder with a PKCS #12 file and a file that contains the passphrase. */
async function runIn(args: readonly string[], answers?: readonly string[]) {
  const platform = await startFakePlatform(replies);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'web.p12'), Buffer.from([1, 2, 3]));
  writeFileSync(join(cwd, 'secret'), `${PASSPHRASE}\n`);
  const waiting = [...(answers ?? [])];
  const askHidden = answers && (async () => waiting.shift() ?? '');
  const ran = await run([...args, '--data', platform.data], { cwd, ...(askHidden ? { askHidden } : {}) });
  return { ...ran, cwd, sent: platform.asked.at(-1)?.body };
}

describe('keys import', () => {
  it('sends the file with its passphrase, and names the key after the file', async () => {
    const { code, out, sent } = await runIn(['keys', 'import', 'web.p12', '--profile', 'servers'], [PASSPHRASE]);
    expect([code, out]).toEqual([0, `Key "web" (${uuid}) imported with certificate ${token}.`]);
    const body = { name: 'web', content: 'AQID', passphrase: PASSPHRASE, exportable: false, enabled: true };
    expect(sent).toEqual(body);
  });

  it('reads the passphrase from a file, and marks the key as exportable only if specified', async () => {
    const flags = ['--profile', 'servers', '--passphrase-file', 'secret', '--exportable', '--name', 'server'];
    const { sent } = await runIn(['keys', 'import', 'web.p12', ...flags]);
    expect(sent).toMatchObject({ name: 'server', passphrase: PASSPHRASE, exportable: true });
  });

  it('requires a passphrase from a terminal or a file', async () => {
    const { code, err } = await runIn(['keys', 'import', 'web.p12', '--profile', 'servers']);
    expect([code, err]).toEqual([2, expect.stringContaining('--passphrase-file')]);
  });
});

describe('certificates export', () => {
  it('writes a file that only its owner can read, in the current directory', async () => {
    const { code, out, cwd, sent } = await runIn(['certificates', 'export', uuid], [PASSPHRASE, PASSPHRASE]);
    expect([code, out]).toEqual([0, expect.stringContaining('exported with its private key to web.example.p12')]);
    expect(sent).toEqual({ format: 'pkcs12', passphrase: PASSPHRASE });
    const file = join(cwd, 'web.example.p12');
    expect([...readFileSync(file)]).toEqual([1, 2, 3]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['short', ['too short', 'too short'], 'at least 12 characters'],
    ['repeated differently', [PASSPHRASE, `${PASSPHRASE}!`], 'do not match'],
  ])('rejects a passphrase that is %s', async (_, answers, message) => {
    const { code, err, sent } = await runIn(['certificates', 'export', uuid], answers);
    expect([code, err, sent]).toEqual([2, expect.stringContaining(message), undefined]);
  });

  it('never prints the passphrase', async () => {
    const { out, err } = await runIn(['certificates', 'export', uuid, '--passphrase-file', 'secret', '--json']);
    expect(out + err).not.toContain(PASSPHRASE);
  });
});
