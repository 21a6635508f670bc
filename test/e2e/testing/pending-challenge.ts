// Creates an order for one identifier, up to the challenge under test.
import type { AcmeAuthorization, AcmeChallenge, AcmeTestClient } from '@signetry/testkit/acme';
import { expect } from 'vitest';
import type { AcmeTestServer, ChallengeName } from './acme-server.ts';

export interface PendingChallenge {
  readonly orderUrl: string;
  /** URL of the authorization. */
  readonly url: string;
  readonly authorization: AcmeAuthorization;
  readonly challenge: AcmeChallenge;
  /** Name whose control is proven: without the `*.` of a wildcard. */
  readonly name: string;
  readonly keyAuthorization: string;
}

export interface ChallengeWish {
  readonly client: AcmeTestClient;
  readonly type: ChallengeName | 'dns-account-01' | 'dns-persist-01';
  /** If absent, a unique name. */
  readonly identifier?: string;
}

export async function pendingChallenge(
  acme: AcmeTestServer,
  { client, type, identifier = acme.host('challenge') }: ChallengeWish,
): Promise<PendingChallenge> {
  const { location: orderUrl = '', body } = await client.newOrder([identifier]);
  const [url = ''] = body.authorizations;
  const { body: authorization } = await client.authorization(url);
  const challenge =
    authorization.challenges.find((each) => each.type === type) ?? expect.unreachable(`${type} is not offered`);
  const keyAuthorization = client.keyAuthorization(challenge.token);
  return { orderUrl, url, authorization, challenge, name: authorization.identifier.value, keyAuthorization };
}
