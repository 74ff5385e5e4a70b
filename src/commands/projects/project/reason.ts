import { ask } from '../../command.ts'

/** A project's record kinds, one per generation. */
export const PROJECTS = ['project', 'campaign'] as const

/** Asks for the reason for an action on a project. */
export const reason = ask.text({ label: 'Reason', recalls: true, lines: 3, placeholder: 'Kept in the history' })
