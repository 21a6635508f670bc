// Vitest global setup of the database project: starts the shared cluster and tells the workers where it is.
import type { TestProject } from 'vitest/node';
import { startTestCluster, type ClusterFacts } from './test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterFacts;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('cluster', cluster.facts);
  return () => cluster.stop();
}
