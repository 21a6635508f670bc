import { describe, expect, it } from 'vitest';
import type { AuditLoggingSettingsDto, AuditReadsSettings } from '@signetry/contract';
import { destinationsOf, initialRules, isReadLogged, reducesLogging } from './logging-rules.ts';

const groups = { module: 'core', resource: 'groups', operation: 'create' } as const;
const rules = (auditLogs: Partial<AuditLoggingSettingsDto>, reads: AuditReadsSettings = initialRules.reads) => ({
  auditLogs: { ...initialRules.auditLogs, ...auditLogs },
  reads,
});
const none = { logAllModules: false, logAllResources: false };
const isStored = (settings: Partial<AuditLoggingSettingsDto>) => destinationsOf(groups, rules(settings)).stored;

describe('logging rules', () => {
  it('store everything by default', () => {
    expect(destinationsOf(groups, initialRules)).toEqual({ stored: true, printed: false });
  });

  it.each([
    ['NONE', false, false],
    ['CONSOLE', false, true],
    ['DATABASE', true, false],
    ['ALL', true, true],
  ] as const)('send records to the destinations specified by the output %s', (output, stored, printed) => {
    expect(destinationsOf(groups, rules({ output }))).toEqual({ stored, printed });
  });

  it('require both the module and the resource to be logged', () => {
    expect(isStored(none)).toBe(false);
    expect(isStored({ ...none, loggedModules: ['core'] })).toBe(false);
    expect(isStored({ ...none, loggedModules: ['core'], loggedResources: ['groups'] })).toBe(true);
    expect(isStored({ ...none, loggedModules: ['auth'], loggedResources: ['groups'] })).toBe(false);
    expect(isStored({ ...none, logAllModules: true, loggedResources: ['groups'] })).toBe(true);
  });

  it('give precedence to ignored modules and resources', () => {
    expect(isStored({ ignoredModules: ['core'] })).toBe(false);
    expect(isStored({ ignoredResources: ['groups'], loggedResources: ['groups'] })).toBe(false);
    expect(isStored({ ignoredModules: ['auth'], ignoredResources: ['users'] })).toBe(true);
  });

  it.each([
    ['auth', 'users', 'update', true],
    ['core', 'settings', 'update', true],
    ['core', 'auditLogs', 'delete', true],
    ['keys', 'keys', 'destroy', true],
    ['keys', 'keys', 'sign', false],
    ['certificates', 'certificates', 'revoke', false],
  ] as const)('for the module %s always store changes to %s (%s): %s', (module, resource, operation, stored) => {
    const facts = { module, resource, operation };
    expect(destinationsOf(facts, rules({ output: 'NONE' }))).toEqual({ stored, printed: false });
    expect(destinationsOf(facts, rules({ ignoredModules: [module] })).stored).toBe(stored);
    expect(destinationsOf(facts, rules({ ignoredResources: [resource] })).stored).toBe(stored);
  });

  it.each([
    ['the same', {}, {}, false],
    ['more', { output: 'NONE' }, { output: 'DATABASE' }, false],
    ['another destination', { output: 'CONSOLE' }, { output: 'DATABASE' }, true],
    ['one module less', {}, { ignoredModules: ['keys'] }, true],
    ['only some resources', {}, { logAllResources: false, loggedResources: ['users'] }, true],
    ['no parameters', { verbose: true }, {}, true],
  ] as const)('with %s, record less: %3$s', (_what, before, after, less) => {
    const of = (settings: object) => rules(settings);
    expect(reducesLogging(of(before), of(after))).toBe(less);
  });

  it('record less if reads of fewer resources are recorded', () => {
    const reading = (allResources: boolean, ...resources: AuditReadsSettings['resources']) =>
      rules({}, { allResources, resources });
    expect(reducesLogging(reading(true), reading(false, 'keys'))).toBe(true);
    expect(reducesLogging(reading(false, 'keys', 'users'), reading(false, 'keys'))).toBe(true);
    expect(reducesLogging(reading(false, 'keys'), reading(true))).toBe(false);
    expect(reducesLogging(reading(false), reading(false, 'keys'))).toBe(false);
  });

  it('record reads of the selected resources if changes to them are recorded', () => {
    const read = { ...groups, operation: 'list' } as const;
    expect(isReadLogged(read, initialRules)).toBe(false);
    expect(isReadLogged(read, rules({}, { allResources: true, resources: [] }))).toBe(true);
    expect(isReadLogged(read, rules({}, { allResources: false, resources: ['groups'] }))).toBe(true);
    expect(isReadLogged(read, rules({}, { allResources: false, resources: ['users'] }))).toBe(false);
    expect(isReadLogged(read, rules({ ignoredResources: ['groups'] }, { allResources: true, resources: [] }))).toBe(
      false,
    );
    expect(isReadLogged(read, rules({ output: 'NONE' }, { allResources: true, resources: [] }))).toBe(false);
  });
});
