// What tests share: databases, platform services, clocks. Never imported by the product.
export { startTestCluster, type ClusterFacts, type TestCluster } from './test-cluster.ts';
export { testDatabase, testDatabaseWithConnection, type TestDatabase } from './test-database.ts';
export { closing, createFakeClock, testPlatform, type FakeClock } from './test-platform-services.ts';
export {
  sharedTestServer,
  startTestServer,
  type TestServer,
  type TestServerFacts,
  type TestServerOptions,
} from './test-server.ts';
