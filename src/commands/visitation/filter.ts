import { MESSAGES } from '../../../contract/messages.ts'
import { command } from '../command.ts'

/** Saved filters of a brand (screens-visitation.md, Brand info). */
export const filterCommands = {
  'filter.remove': command({
    title: 'Delete saved filter',
    on: ['filter'],
    keywords: 'remove visitation',
    icon: 'delete',
    undo: 'restores',
    confirm: () => ({ title: 'Delete saved filter?', body: MESSAGES.visitFilterDelete, action: 'Delete' }),
    async run({ api, subject }) {
      await api.write('filter.remove', { filter_id: subject.id })
      return { message: `“${subject.name}” deleted` }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof filterCommands> {}
}
