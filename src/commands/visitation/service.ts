import { command } from '../command.ts'

/** Services of brands, and who sees them (screens-visitation.md, Services). */
export const serviceCommands = {
  'service.remove': command({
    title: 'Delete service',
    on: ['service'],
    keywords: 'remove visitation',
    icon: 'delete',
    undo: 'restores',
    confirm: ([first], _answers) => ({
      title: `Delete “${first?.name ?? 'this service'}”?`,
      body: 'Figures leave its visits out, and undo brings it back.',
      action: 'Delete',
    }),
    async run({ api, subject }) {
      await api.write('service.remove', { id: subject.id })
      return { message: `“${subject.name}” deleted` }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof serviceCommands> {}
}
