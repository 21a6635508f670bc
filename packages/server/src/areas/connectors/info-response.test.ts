import { describe, expect, it } from 'vitest';
import { infoOf } from './testing/fake-connector.ts';
import { displayedEndpoints, readFunctionGroups } from './info-response.ts';

const problemsOf = (answer: Parameters<typeof readFunctionGroups>[0]): readonly string[] => {
  try {
    readFunctionGroups(answer);
    return [];
  } catch (error) {
    // rejections by rules have this member
    return (error as { parameters: { problems: string[] } }).parameters.problems;
  }
};

describe("a connector's self-description", () => {
  it('is accepted if it contains all required endpoints', () => {
    expect(readFunctionGroups([infoOf('authorityProvider', ['A', 'B'], ['idempotency'])])).toMatchObject([
      { code: 'authorityProvider', kinds: ['A', 'B'], features: ['idempotency'] },
    ]);
  });

  it('can omit optional endpoints and identifiers', () => {
    const info = infoOf('authorityProvider', ['A']);
    const endPoints = info.endPoints
      .filter(({ required }) => required)
      .map(({ name, context, method }) => ({ name, context, method }));
    const [group] = readFunctionGroups([{ ...info, endPoints }]);
    expect(group?.endPoints).toHaveLength(14);
    expect(group && displayedEndpoints(group).every(({ uuid }) => Boolean(uuid))).toBe(true);
  });

  it('is shown without identifiers that neither the connector nor the interface defines', () => {
    const { endPoints, ...info } = infoOf('authorityProvider', ['A']);
    const own = { name: 'listAnything', context: '/v1/anything', method: 'GET' };
    const [group] = readFunctionGroups([{ ...info, endPoints: [...endPoints, own] }]);
    expect(group && displayedEndpoints(group).at(-1)).toStrictEqual({ ...own, required: false });
  });

  it('is rejected if any required endpoint is missing, compared by name, method and context', () => {
    const info = infoOf('credentialProvider', ['A']);
    const changed = info.endPoints.map((endpoint) =>
      endpoint.name === 'listAttributeDefinitions'
        ? { ...endpoint, context: endpoint.context.replace('{kind}', '{name}') }
        : endpoint,
    );
    expect(problemsOf([{ ...info, endPoints: changed }])).toEqual([
      'The function group credentialProvider requires the endpoint listAttributeDefinitions (GET /v1/credentialProvider/{kind}/attributes), which the connector does not offer.',
    ]);
    expect(problemsOf([{ ...info, endPoints: [] }])).toHaveLength(2);
  });

  it('is rejected if it contains unknown groups, duplicate groups or no groups', () => {
    expect(problemsOf([{ functionGroupCode: 'coffeeProvider', kinds: [] }])).toEqual([
      'The function group coffeeProvider does not exist.',
    ]);
    const info = infoOf('credentialProvider', ['A']);
    expect(problemsOf([info, info])).toEqual(['The connector lists a function group twice.']);
    expect(problemsOf([])).toEqual(['The connector lists no function group.']);
  });
});
