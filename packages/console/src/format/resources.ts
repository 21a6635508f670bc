// Resources and actions of permissions in words.
import { Resource, ResourceAction } from '@signetry/contract';

/** Of several objects, as people read them in the menu. */
const plurals: Partial<Record<Resource, string>> = {
  settings: 'Settings',
  auditLogs: 'Audit log',
  acmeAccounts: 'ACME accounts',
  acmeProfiles: 'ACME profiles',
  scepProfiles: 'SCEP profiles',
  cmpProfiles: 'CMP profiles',
  raProfiles: 'RA profiles',
  authorities: 'Authorities',
  discoveries: 'Discoveries',
  entities: 'Entities',
  complianceProfiles: 'Compliance profiles',
  tokenProfiles: 'Token profiles',
};

export const wordsOfResource = (resource: Resource): string => plurals[resource] ?? `${Resource.labels[resource]}s`;

export const wordsOfResources = (resources: readonly Resource[]): string => resources.map(wordsOfResource).join(', ');

/** The same in the middle of a sentence; abbreviations stay as they are. */
export const resourceInSentence = (resource: Resource): string =>
  wordsOfResource(resource).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

export function wordsOfActionName(name: string): string {
  // What it is called on the wire says how it is checked, not what it is for.
  if (name === 'ANY') return 'Use in forms';
  return isAction(name) ? ResourceAction.labels[name] : name;
}

const isAction = (name: string): name is ResourceAction => Object.hasOwn(ResourceAction.labels, name);

/** What an action means, where its name does not say it. */
const meanings: Readonly<Record<string, string>> = {
  list: 'See that objects exist, with their main facts',
  detail: 'See everything about an object, and name it in others',
  members: 'See and use what belongs to an object, such as the certificates of an RA profile',
  enable: 'Enable and disable',
  ANY: 'Fill in forms that depend on an object, such as the attributes of a request',
  connect: 'Test and renew the connection',
  approve: 'Accept or reject what waits for a decision',
  archive: 'Take out of lists, and back',
  checkCompliance: 'Start a check of compliance',
  renew: 'Renew and rekey',
};

export const meaningOfAction = (name: string): string | undefined => meanings[name];
