// Vitest's global set-up: starts the PostgreSQL that all projects but `fast` share, and tells workers where it is.
import type { TestProject } from 'vitest/node';
import { startTestCluster, type ClusterFacts } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterFacts;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Those that were chosen with --project.
  if (project.vitest.projects.every(({ name }) => name === 'fast')) return undefined;
  const cluster = await startTestCluster();
  project.provide('cluster', cluster.facts);
  return () => cluster.stop();
}
