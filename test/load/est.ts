// EST simpleenroll over persistent TLS connections, with a username and password (RFC 7030 §4.2).
import { Agent, request as httpsRequest } from 'node:https';
import { benchEnrollment, stock, type EnrollmentSetting } from './enrollment-load.ts';
import type { BenchmarkReport } from './report.ts';
import { makeRequest } from './requests.ts';
import { profileFor } from './token-keys.ts';

const [USER, PASSWORD] = ['device', 'password-of-the-bench'];

export const benchEst = (options: ReadonlyMap<string, string>): Promise<BenchmarkReport> =>
  benchEnrollment(options, {
    name: 'EST simpleenroll, P-256',
    goal: '>= 500',
    note: 'HTTP Basic with a user of the profile, one request and one certificate per transaction.',
    prepare: (setting) => prepare(setting, Number(options.get('requests') ?? 15_000)),
  });

async function prepare({ client, server, rootCertificate, concurrency }: EnrollmentSetting, count: number) {
  const { raProfileUuid } = await profileFor(server, { keyAlgorithm: 'P-256', tokens: undefined });
  const users = [{ username: USER, password: PASSWORD }];
  const { uuid } = await client.estProfiles.createEstProfile({ body: { name: 'bench', raProfileUuid, users } });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid: uuid } });
  const requests: string[] = [];
  for (let number = 0; number < count; number += 1) requests.push(await makeRequest(`device-${number}`));
  const requestOf = stock(requests);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, ca: rootCertificate });
  const url = new URL('/.well-known/est/bench/simpleenroll', server.ready.https ?? undefined);
  return {
    enroll: (number: number) => post(url, { agent, body: requestOf(number) }),
    close: () => agent.destroy(),
  };
}

function post(url: URL, { agent, body }: { readonly agent: Agent; readonly body: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/pkcs10', 'content-length': body.length };
    const request = httpsRequest(url, { method: 'POST', agent, headers, auth: `${USER}:${PASSWORD}` }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    request.on('error', () => resolve(false));
    request.end(body);
  });
}
