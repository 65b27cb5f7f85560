/** The three error messages that source 4 writes out, in the dialect that it writes. */
export const sourceErrors = {
  'PF.error.file-not-found': `from: plan-files-skill
to: caller
handoff_id: error-001

task:
  status: failed

error:
  type: file_not_found
  message: Plan directory not found
  details: .claude/plans/jwt-auth/ does not exist

alternatives[2]:
- Create new plan with plan-init skill
- Check directory path and try again
`,
  'PF.error.invalid-structure': `from: plan-files-skill
to: caller
handoff_id: error-002

task:
  status: failed

error:
  type: invalid_structure
  message: Plan file has invalid structure
  details: Missing Phase Progress Table in plan.md

alternatives[2]:
- Refine plan to fix structure
- Recreate plan from scratch
`,
  'PF.error.parse-error': `from: plan-files-skill
to: caller
handoff_id: error-003

task:
  status: failed

error:
  type: parse_error
  message: Failed to parse config.md
  details: Invalid value for technology field

alternatives[2]:
- Fix config.md manually
- Regenerate config via plan-init
`,
} as const;
