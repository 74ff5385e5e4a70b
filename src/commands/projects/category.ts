import { ask, command } from '../command.ts'

/** The industry categories of a project (screens-projects, Categories). */
export const categoryCommands = {
  'category.set': command({
    title: 'Set categories…',
    on: ['project', 'campaign'],
    icon: 'list',
    keywords: 'industry sic code file under',
    undo: 'restores',
    asks: {
      category_ids: ask.entities({
        label: 'Categories',
        kind: 'category',
        optional: true,
        prefill: ([subject]) => (subject?.record?.categories as { id: number }[] | undefined)?.map(({ id }) => id),
        among: async (api, [subject]) =>
          subject
            ? (await api.read('category.ofProject', { project: subject.id })).data.map(({ id, name, sic_code }) => ({
                value: String(id),
                label: name,
                detail: sic_code,
              }))
            : [],
      }),
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('category.set', { id: subject.id, category_ids: answers.category_ids ?? [] })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof categoryCommands> {}
}
