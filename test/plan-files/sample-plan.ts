/** A plan as source 4 shows one, two phases in: hand-written, with its own section and a code fence. */
export const samplePlan = `# JWT Authentication

**Configuration**: See [config.md](./config.md)
**References**: See [references.md](./references.md)

**Current Phase**: implement
**Current Task**: task-3

---

## Phase Progress

| Phase     | Status      | Tasks | Completed |
|-----------|-------------|-------|-----------|
| init      | completed   | 1     | 1/1       |
| refine    | completed   | 1     | 1/1       |
| implement | in_progress | 2     | 0/2       |
| verify    | pending     | 1     | 0/1       |
| finalize  | pending     | 1     | 0/1       |

---

## Notes of the team

Keep the key out of the log.   
\`\`\`markdown
## Phase: verify (completed)
### Task 9: A look-alike
- [ ] no item
\`\`\`

---

## Phase: init (completed)

### Task 1: Set up

**Phase**: init
**Goal**: The plan stands

**Checklist**:
- [x] Make the plan

---

## Phase: refine (completed)

### Task 2: Ask

**Phase**: refine
**Goal**: Requirements are clear

**Checklist**:
- [x] Ask the team

---

## Phase: implement (in_progress)

### Task 3: Create JwtService

**Phase**: implement
**Goal**: Tokens can be made

**Acceptance Criteria**:
- Tokens include standard claims
- [x] a criterion with a box

**Checklist**:
- [ ] Add
- [ ] Add tests
- [ ] Parse a, b (c) and \\d
- [ ] Print [x] or [ ] as it is

Some words between tasks.

### Task 4: Create TokenValidator

**Phase**: implement
**Goal**: Tokens are checked

**Checklist**:
- [ ] Check the signature

---

## Phase: verify (pending)

### Task 5: Test

**Phase**: verify
**Goal**: It works

**Checklist**:
- [ ] Run all tests

---

## Phase: finalize (pending)

### Task 6: Ship

**Phase**: finalize
**Goal**: It is out

**Checklist**:
- [ ] Open the pull request

---

## Completion Criteria

- All tests pass
`;

/** The same plan where every phase numbers its own tasks, with the other form of the title. */
export const restartingPlan = samplePlan
  .replace('# JWT', '# Task Plan: JWT')
  .replace('task-3', 'task-1')
  .replace('### Task 2:', '### Task 1:')
  .replace('### Task 3:', '### Task 1:')
  .replace('### Task 4:', '### Task 2:')
  .replace('### Task 5:', '### Task 1:')
  .replace('### Task 6:', '### Task 1:');
