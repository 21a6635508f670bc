// Files and messages of `certificate request` if issuance takes time or fails.
import { readdirSync } from 'node:fs';
import { toBase64 } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { Interruption } from '../failures.ts';
import { uuid, startIssuingPlatform, request, ISSUE, DETAIL, CHAIN, HISTORY } from '../testing/certificate-requests.ts';
import { createFakeAuthority } from '../testing/fake-authority.ts';
import { run, temporaryFolder } from '../testing/fake-platform.ts';

describe('a certificate with delayed issuance', () => {
  const pending = { body: { uuid, certificateData: '' } };

  it('is waited for', async () => {
    const states = ['requested', 'pending_issue', 'issued'];
    const authority = await createFakeAuthority();
    let content = '';
    const { code, cwd, asked } = await request(['a.example'], {
      async [ISSUE]({ body }) {
        content = await authority.issue((body as { request: string }).request);
        return pending;
      },
      [DETAIL]() {
        const state = states.shift();
        return { body: { uuid, state, ...(state === 'issued' ? { certificateContent: content } : {}) } };
      },
    });
    expect(code).toBe(0);
    expect(readdirSync(cwd)).toHaveLength(2);
    expect(asked.filter(({ path }) => path.endsWith(uuid))).toHaveLength(3);
  });

  it.each(['failed', 'rejected'])(
    'leaves no key file if its final state is %s, and reports the reason',
    async (state) => {
      const history = [
        {
          created: '2026-11-20T12:00:01Z',
          status: 'FAILED',
          event: 'Issue Certificate',
          message: 'Name is not allowed',
        },
        { created: '2026-11-20T12:00:02Z', status: 'SUCCESS', event: 'Update State', message: 'something else' },
        { created: '2026-11-20T12:00:00Z', status: 'FAILED', event: 'Issue Certificate', message: 'first attempt' },
      ];
      const { code, err, cwd } = await request(['a.example'], {
        [ISSUE]: pending,
        [DETAIL]: { body: { uuid, state } },
        [HISTORY]: { body: history },
      });
      expect(code).toBe(1);
      expect(err).toContain(`certificate ${uuid} has the state "${state}": Name is not allowed.`);
      expect(err).toContain('No certificate was issued, so the new key was removed.');
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it('keeps its key file if it was signed before it was rejected', async () => {
    const { cwd } = await request(['a.example'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'failed', certificateContent: 'AAAA' } },
      [HISTORY]: { body: [] },
    });
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
  });

  it('times out after the specified period, and its key file is kept', async () => {
    const { code, err, cwd, asked } = await request(['a.example', '--wait', '5'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'pending_issue' } },
    });
    expect(code).toBe(1);
    expect(err).toContain('not issued within 5 s');
    expect(err).toContain('a.example.key.pem');
    expect(err).toContain(`signetry certificates show ${uuid}`);
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
    expect(asked.length).toBeLessThan(15);
  });

  it('is not awaited if it requires approval', async () => {
    const { err, cwd, asked } = await request(['a.example'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'pending_approval' } },
    });
    expect(err).toContain('waiting for approval');
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
    expect(asked.filter(({ path }) => path.endsWith(uuid))).toHaveLength(1);
  });
});

describe('a failed request', () => {
  const rejection = (status: number, facts = {}) => ({
    status,
    body: { code: 'X', message: 'Rejected by the platform.', ...facts },
  });

  it.each([
    [422, 1],
    [403, 4],
  ])('with status %i leaves no key file', async (status, exitCode) => {
    const { code, err, cwd } = await request(['a.example'], { [ISSUE]: rejection(status) });
    expect([code, readdirSync(cwd)]).toEqual([exitCode, []]);
    expect(err).toContain('Rejected by the platform.');
  });

  it('keeps the key file if its outcome is unclear', async () => {
    const { code, err, cwd } = await request(['a.example'], { [ISSUE]: rejection(503) });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain('The private key remains in');
  });

  it.each([
    ['failed', []],
    ['pending_issue', ['a.example.key.pem']],
  ])('whose certificate is %s leaves the files %j', async (state, files) => {
    const { code, err, cwd } = await request(['a.example'], {
      [ISSUE]: rejection(503, { uuid }),
      [DETAIL]: { body: { uuid, state } },
      [HISTORY]: { body: [] },
    });
    expect([code, readdirSync(cwd)]).toEqual([1, files]);
    expect(err).toContain('Rejected by the platform.');
  });

  it('keeps the key file and exits with 130 if it is interrupted before the platform responds', async () => {
    const controller = new AbortController();
    const { platform } = await startIssuingPlatform({
      [ISSUE]() {
        controller.abort(new Interruption());
        return { body: { uuid, certificateData: '' } };
      },
    });
    const cwd = temporaryFolder();
    const given = { cwd, signal: controller.signal };
    const { code, err } = await run(['certificate', 'request', 'a.example', '--data', platform.data], given);
    expect([code, readdirSync(cwd)]).toEqual([130, ['a.example.key.pem']]);
    expect(err).toContain('The private key remains in');
  });

  it('explains how to retrieve the certificate if it fails after issuance', async () => {
    const { code, err, cwd } = await request(['a.example'], { [CHAIN]: rejection(500) });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain(`signetry certificates show ${uuid} --pem`);
  });

  it('writes no certificate if the platform returns one for a different key', async () => {
    const authority = await createFakeAuthority();
    const { code, err, cwd } = await request(['a.example'], {
      [ISSUE]: { body: { uuid, certificateData: toBase64(authority.root) } },
    });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain('contains a different public key than the CSR');
  });
});
