import { ask } from '../command.ts'

/** The kinds of record that a project is, of either generation. */
export const PROJECTS = ['project', 'campaign'] as const

/** Why something is done to a project. */
export const reason = ask.text({ label: 'Reason', lines: 3, placeholder: 'Kept in the history' })
