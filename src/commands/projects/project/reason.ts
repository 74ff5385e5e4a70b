import { ask } from '../../command.ts'

/** A project's record kinds, one per generation. */
export const PROJECTS = ['project', 'campaign'] as const

/** Asks for the reason for an action on a project that nobody undoes lightly. */
export const reason = ask.text({ label: 'Reason', recalls: true, lines: 3, placeholder: 'Kept in the history' })
/** The same for one that can be undone, which needs none (decisions.md 14). */
export const optionalReason = ask.text({
  label: 'Reason',
  recalls: true,
  lines: 3,
  optional: true,
  placeholder: 'Optional, kept in the history',
})
