// Operations of the published interface that this version does not serve yet: path and methods. The platform returns
// 404 for them, in words, instead of taking them for another operation whose pattern fits. Remove the line of an
// operation when its declaration is added; a test compares the two.

const paths: Readonly<Record<string, string>> = {
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp': 'GET',
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/activate/{cmpProfileUuid}': 'PATCH',
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/deactivate': 'PATCH',
  '/v1/cmpProfiles': 'GET POST',
  '/v1/cmpProfiles/delete': 'DELETE',
  '/v1/cmpProfiles/delete/force': 'DELETE',
  '/v1/cmpProfiles/disable': 'PATCH',
  '/v1/cmpProfiles/enable': 'PATCH',
  '/v1/cmpProfiles/signingCertificates': 'GET',
  '/v1/cmpProfiles/{cmpProfileUuid}': 'GET PUT DELETE',
  '/v1/cmpProfiles/{cmpProfileUuid}/disable': 'PATCH',
  '/v1/cmpProfiles/{cmpProfileUuid}/enable': 'PATCH',
  '/v1/cmpProfiles/{cmpProfileUuid}/raProfiles/{raProfileUuid}': 'PATCH',
  '/v1/protocols/cmp/raProfile/{raProfileName}': 'GET POST',
  '/v1/protocols/cmp/{cmpProfileName}': 'GET POST',
};

export interface OperationNotServed {
  readonly method: string;
  /** Relative to `/api`, with parameters in braces. */
  readonly path: string;
}

export const operationsNotServed: readonly OperationNotServed[] = Object.entries(paths).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => ({ method, path })),
);
