import { command } from '../command.ts'

/** Brands whose visits are counted (screens-visitation.md, All brands). */
export const brandCommands = {
  'brand.remove': command({
    title: 'Delete brand',
    on: ['brand'],
    keywords: 'remove visitation',
    icon: 'delete',
    undo: 'restores',
    confirm: ([first], _answers) => ({
      title: `Delete “${first?.name ?? 'this brand'}”?`,
      body: 'Its visits stay, and undo brings it back.',
      action: 'Delete',
    }),
    async run({ api, subject }) {
      await api.write('brand.remove', { id: subject.id })
      return { message: `“${subject.name}” deleted` }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof brandCommands> {}
}
