import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { projectFile } from '../consistency/source-files.ts';

const config = await createConfig({ extends: ['recommended'] });

suite('the interface descriptions have no finding of Redocly, by its recommended rules', () => {
  for (const file of ['openapi.json', 'openapi-extensions.json']) {
    test(file, async () => {
      const findings = await lintFromString({ source: projectFile(file), absoluteRef: `/${file}`, config });
      assert.deepEqual(
        findings.map(
          ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
        ),
        [],
      );
    });
  }
});

test('the linter finds what is wrong', async () => {
  const { servers: _servers, security: _security, ...rest } = JSON.parse(projectFile('openapi.json'));
  const findings = await lintFromString({ source: JSON.stringify(rest), absoluteRef: '/openapi.json', config });
  const rules = new Set(findings.map(({ ruleId }) => ruleId));
  assert.ok(rules.has('no-empty-servers') && rules.has('security-defined'), [...rules].join(', '));
});
