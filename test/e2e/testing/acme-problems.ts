// What every refusal of the ACME server is, whatever was wrong.
import type { AcmeProblem, AcmeReply } from '@signetry/testkit';
import { expect } from 'vitest';

/**
 * Demands a problem document of this status and type, with everything that belongs to one: a media type (RFC 8555
 * §6.7), a fresh nonce (§6.5), the way back to the directory (§7.1), no identifier of its own (§6.7.1), nothing of our
 * insides.
 */
export function expectProblem(reply: AcmeReply, status: number, type: string): AcmeProblem {
  expect([reply.status, reply.problem], reply.text).toEqual([status, type]);
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.nonce).toMatch(/^[\w-]+$/);
  expect(reply.links.get('index')).toEqual([expect.stringMatching(/\/directory$/)]);
  const problem = reply.body as AcmeProblem; // just compared by its type
  expect(problem.detail).toMatch(/^\S.*\.$/s);
  expect(problem).not.toHaveProperty('identifier');
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d|SELECT |INSERT /);
  return problem;
}
