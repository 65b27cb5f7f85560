import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { changedLines, openPlanStage, type PlanStage } from './plan-stage.ts';

let stage: PlanStage;

beforeEach(async () => {
  stage = await openPlanStage();
});

afterEach(() => stage.close());

const written = `# References

## Issue

**GitHub Issue**: [#123 - Add JWT Authentication](https://github.com/org/repo/issues/123)
**Branch**: \`feature/jwt-auth\`
**Base Branch**: \`main\`

## Related Files

**Implementation Files**:
- \`src/JwtService.java\` (makes tokens)
- \`src/TokenValidator.java\`

**Configuration Files**:
- \`application.properties\`

**Test Files**:
- \`test/JwtServiceTest.java\`

## Architecture Decision Records (ADRs)

- [ADR-015: JWT Authentication Strategy](doc/adr/ADR-015.md)
- [ADR-020: Rotation](doc/adr/ADR-020.md)

## Interface Specifications

- [IF-042: Authentication Service](doc/if/IF-042.md)

## Mine

- [ADR-099: Not a reference](x.md)

## External Documentation

**Standards and Specifications**:
- [RFC 7519](https://datatracker.ietf.org/doc/html/rfc7519)

**Libraries and Tools**:
- [OWASP JWT Cheat Sheet](https://cheatsheetseries.owasp.org/)

## Dependencies

**Maven Dependencies**:
- \`io.jsonwebtoken:jjwt-api:0.11.5\`

**NPM Dependencies**:
- \`@scope/jwt@1.0.0\`

**Related Plans**:
- \`.claude/plans/users/\` (prerequisite)
`;

const change = (action: 'add' | 'update' | 'remove', reference_type: string, reference_data: object) =>
  ({ action, reference_type, reference_data }) as never;

verifies(
  ['PF.operation.get-references', 'PF.answer.get-references', 'PF.references.form'],
  'all groups are read, under either spelling of their headings',
  async () => {
    const expected = {
      issue: { url: 'https://github.com/org/repo/issues/123', title: 'Add JWT Authentication' },
      branch: 'feature/jwt-auth',
      adrs: ['ADR-015', 'ADR-020'],
      interfaces: ['IF-042'],
      implementation_files: ['src/JwtService.java', 'src/TokenValidator.java'],
      configuration_files: ['application.properties'],
      test_files: ['test/JwtServiceTest.java'],
      external_docs: ['RFC 7519', 'OWASP JWT Cheat Sheet'],
      dependencies: ['io.jsonwebtoken:jjwt-api:0.11.5', '@scope/jwt@1.0.0', '.claude/plans/users/'],
    };
    const short = written
      .replace('## Architecture Decision Records (ADRs)', '## ADRs')
      .replace(' Specifications\n', 's\n');
    for (const text of [written, short, written.replaceAll('\n', '\r\n'), written.replace(/\*\*:\n/g, '**\n')]) {
      stage.write('references.md', text);
      expect(await stage.run('plan.get-references', {})).toEqual({ references: expected });
    }
  },
);

verifies(
  ['PF.operation.write-references', 'PF.answer.write-references', 'PF.references.form', 'PF.held.unknown-sections'],
  'references are added, updated and removed in their own line',
  async () => {
    stage.write('references.md', written);
    const cases = [
      [change('add', 'adr', { identifier: 'ADR-021', title: 'Keys', path: 'doc/ADR-021.md' }), 'Added ADR-021: Keys'],
      [
        change('add', 'interface', { identifier: 'IF-051', title: 'Tokens', path: 'doc/IF-051.md' }),
        'Added IF-051: Tokens',
      ],
      [
        change('add', 'file', { identifier: 'src/Refresh.java', title: 'new' }),
        'Added implementation file: src/Refresh.java',
      ],
      [change('add', 'file', { type: 'test', path: 'src/It.java' }), 'Added test file: src/It.java'],
      [
        change('add', 'external', { type: 'library', identifier: 'jjwt', path: 'https://example.com/a b' }),
        'Added external documentation: jjwt',
      ],
      [
        change('add', 'adr', { identifier: 'ADR-022', title: 'Maps (a->b)', path: 'doc/of <a>)b.md' }),
        'Added ADR-022: Maps (a->b)',
      ],
      [change('add', 'dependency', { identifier: 'left-pad@1.0.0' }), 'Added dependency: left-pad@1.0.0'],
      [
        change('add', 'dependency', { type: 'related', identifier: '.claude/plans/keys/' }),
        'Added related plan: .claude/plans/keys/',
      ],
    ] as const;
    for (const [input, told] of cases) {
      const before = stage.read('references.md').split('\n');
      expect((await stage.run('plan.write-references', input)).changes).toEqual([told]);
      const after = stage.read('references.md').split('\n');
      expect(after.length).toBe(before.length + 1);
      const at = after.findIndex((line, index) => line !== before[index]);
      expect(after.toSpliced(at, 1)).toEqual(before);
      // The same again changes nothing.
      expect((await stage.run('plan.write-references', input)).changes).toEqual([]);
      expect(stage.read('references.md')).toBe(after.join('\n'));
    }
    const text = stage.read('references.md');
    expect(text).toContain('- `src/TokenValidator.java`\n- `src/Refresh.java` (new)\n\n**Configuration');
    expect(text).toContain('- [jjwt](<https://example.com/a b>)\n');
    expect(text).toContain('- `.claude/plans/users/` (prerequisite)\n- `.claude/plans/keys/` (related)\n');

    await stage.run('plan.write-references', change('update', 'adr', { identifier: 'ADR-020', title: 'Key rotation' }));
    await stage.run('plan.write-references', change('update', 'adr', { identifier: 'ADR-022', title: 'Maps (c->d)' }));
    await stage.run(
      'plan.write-references',
      change('update', 'dependency', { identifier: 'io.jsonwebtoken:jjwt-api:0.12.0' }),
    );
    expect(changedLines(text, stage.read('references.md'))).toEqual([
      '- [ADR-020: Rotation](doc/adr/ADR-020.md) → - [ADR-020: Key rotation](doc/adr/ADR-020.md)',
      String.raw`- [ADR-022: Maps (a->b)](<doc/of \<a\>)b.md>) → - [ADR-022: Maps (c->d)](<doc/of \<a\>)b.md>)`,
      '- `io.jsonwebtoken:jjwt-api:0.11.5` → - `io.jsonwebtoken:jjwt-api:0.12.0`',
    ]);
    const answer = await stage.run('plan.write-references', change('remove', 'adr', { identifier: 'ADR-015' }));
    expect(answer).toEqual({
      outcome: 'updated',
      changes: ['Removed ADR-015: JWT Authentication Strategy'],
      references_summary: { adrs_count: 3, interfaces_count: 2, files_count: 6, external_docs_count: 3 },
    });
    expect(stage.read('references.md')).toContain('- [ADR-099: Not a reference](x.md)');
  },
);

verifies(
  ['PF.operation.get-references', 'PF.references.form'],
  'an issue is a link, an address or a title',
  async () => {
    const address = 'https://example.com/issues/7';
    for (const [line, issue] of [
      [`**GitHub Issue**: [#7 - Add JWT](${address})`, { url: address, title: 'Add JWT' }],
      [`- **GitLab Issue**: ${address}`, { url: address, title: address }],
      ['**Issue**: `#7 – Add JWT`', { url: '', title: 'Add JWT' }],
      [`**Issue**: See ${address}`, { url: '', title: `See ${address}` }],
      ['**Issue**: None', null],
      ['**Issue**:', null],
      ['**Linked Issue**: #7', null],
    ] as const) {
      stage.write('references.md', `# References\n\n## Issue\n\n${line}\n`);
      expect((await stage.run('plan.get-references', {})).references.issue).toEqual(issue);
    }
  },
);

verifies(
  ['PF.operation.get-references', 'PF.references.form'],
  'a link or code that is not closed is text',
  async () => {
    const links = ['[Guide](<docs/a b.md - unread', '[Guide](<docs/a b.md> - unread', '[Guide](docs/a.md - unread'];
    for (const link of [...links, '[Guide - unread', '[Guide] (docs/a.md) - unread']) {
      stage.write(
        'references.md',
        `# References\n\n## External Documentation\n\n**Libraries and Tools**:\n- ${link}\n`,
      );
      const { references } = await stage.run('plan.get-references', {});
      expect(references.external_docs).toEqual([link.replace(' - unread', '')]);
    }
    stage.write('references.md', '# References\n\n## Related Files\n\n**Test Files**:\n- `docs/a.md\n');
    expect((await stage.run('plan.get-references', {})).references).toMatchObject({ test_files: ['`docs/a.md'] });
  },
);

verifies(
  ['PF.operation.write-references', 'PF.references.form'],
  'the first reference makes the document',
  async () => {
    await stage.run('plan.write-config', {
      configuration: { plan_type: 'simple', branch: 'feature/x', issue: '[#7](https://example.com/7)' },
    });
    await stage.run('plan.write-references', change('add', 'dependency', { identifier: 'zod@4.0.0' }));
    await stage.run('plan.write-references', change('add', 'dependency', { identifier: 'a`b@1' }));
    await stage.run('plan.write-references', change('add', 'dependency', { identifier: '`c`@2' }));
    await stage.run('plan.write-references', change('add', 'adr', { identifier: 'ADR-001' }));
    expect(stage.read('references.md')).toBe(`# References

## Issue

**GitHub Issue**: [#7](https://example.com/7)
**Branch**: \`feature/x\`

## Architecture Decision Records (ADRs)

- ADR-001

## Dependencies

**NPM Dependencies**:
- \`zod@4.0.0\`
- \`\`a\`b@1\`\`
- \`\` \`c\`@2 \`\`
`);
  },
);

verifies(['PF.operation.write-references'], 'a reference that is not there is not found, nothing written', async () => {
  stage.write('references.md', written);
  const before = stage.snapshot();
  for (const [input, code, message] of [
    [change('update', 'adr', { identifier: 'ADR-01' }), 'reference_not_found', 'Referenced ADR not found'],
    [change('remove', 'adr', { identifier: 'adr-015' }), 'reference_not_found', 'Referenced ADR not found'],
    [change('remove', 'interface', { identifier: 'ADR-015' }), 'reference_not_found', 'Referenced interface not found'],
    [change('remove', 'file', { identifier: 'Service.java' }), 'reference_not_found', 'Referenced file not found'],
    [change('add', 'adr', { identifier: 'ADR-015', title: 'Other' }), 'validation_failed', 'Reference does not fit'],
    [change('add', 'adr', { title: 'x' }), 'validation_failed', 'Reference does not fit'],
  ] as const) {
    const error = await stage.refused('plan.write-references', input);
    expect([error.code, error.message]).toEqual([code, message]);
    expect(stage.snapshot()).toEqual(before);
  }
  const missing = await stage.refused('plan.write-references', change('remove', 'adr', { identifier: 'ADR-01' }));
  expect(missing.details.details).toBe('ADR-01 does not exist in references.md');
});

verifies(['PF.validate.codes'], 'validate-references warns where the document is missing', async () => {
  expect(await stage.run('plan.validate-references', {})).toMatchObject({
    outcome: 'valid',
    validation_errors: [],
    validation_warnings: [{ code: 'REFERENCES_NOT_FOUND' }],
  });
  stage.write('references.md', written);
  expect((await stage.run('plan.validate-references', {})).validation_warnings).toEqual([]);
});
