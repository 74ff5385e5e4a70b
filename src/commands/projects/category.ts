import { ask, command } from '../command.ts'
import { recordOf, type Subject } from '../subject.ts'

const isSelected = (subject: Subject | undefined) => recordOf(subject, 'category').selected === true

/** The industry categories of a project (screens-projects, Categories). */
export const categoryCommands = {
  'category.check': command({
    title: 'Select or deselect category',
    on: 'category',
    icon: 'check',
    keywords: 'select choose industry',
    undo: 'restores',
    rule: 'category.check',
    async run({ api, subject }) {
      const { project_id, brand_id } = recordOf(subject, 'category')
      const { message } = await api.write('category.check', {
        ...(brand_id ? { brand_id } : { project_id: Number(project_id) }),
        category_id: subject.id,
        checked: !isSelected(subject),
      })
      return { message }
    },
  }),
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
        prefill: ([subject]) => recordOf(subject, 'project', 'campaign').categories?.map(({ id }) => id),
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

declare module '../subject.ts' {
  interface AddedToRecords {
    category: { selected: boolean; project_id: number; brand_id: number }
  }
}
