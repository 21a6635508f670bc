// Vitest's global setup: starts the PostgreSQL server that all projects except `fast` share, and provides its location
// to workers.
import type { TestProject } from 'vitest/node';
import { startTestCluster, type ClusterFacts } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterFacts;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Projects selected with --project.
  if (project.vitest.projects.every(({ name }) => name === 'fast')) return undefined;
  const cluster = await startTestCluster();
  project.provide('cluster', cluster.facts);
  return () => cluster.stop();
}
