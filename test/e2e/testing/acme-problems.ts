// Common properties of all ACME server errors.
import type { AcmeProblem, AcmeReply } from '@signetry/testkit/acme';
import { expect } from 'vitest';

/**
 * Expects a problem document with this status and type and all its required parts: the media type (RFC 8555 §6.7), a
 * fresh nonce (§6.5), a link to the directory (§7.1), no top-level identifier (§6.7.1), no internal details.
 */
export function expectProblem(reply: AcmeReply, status: number, type: string): AcmeProblem {
  expect([reply.status, reply.problem], reply.text).toEqual([status, type]);
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.nonce).toMatch(/^[\w-]+$/);
  expect(reply.links.get('index')).toEqual([expect.stringMatching(/\/directory$/)]);
  const problem = reply.body as AcmeProblem; // Only compared by its type.
  expect(problem.detail).toMatch(/^\S.*\.$/s);
  expect(problem).not.toHaveProperty('identifier');
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d|SELECT |INSERT /);
  return problem;
}
